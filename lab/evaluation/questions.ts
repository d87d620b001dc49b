import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';

export interface ToolUse {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** What a person asks for in words, and the calls that are right next. */
export interface Question {
  id: string;
  ask: string;
  /** What the assistant has been told or has read before. */
  known?: string;
  /** Any of them is right; where there is none, calling nothing is. */
  accept: readonly ToolUse[];
  why?: string;
}

export interface Evaluation {
  /** The day on which the questions are asked, `YYYY-MM-DD`. */
  today: string;
  instructions: string;
  questions: readonly Question[];
}

export const evaluation = JSON.parse(
  readFileSync(join(repositoryRoot, 'lab/evaluation/questions.json'), 'utf8'),
) as Evaluation;
