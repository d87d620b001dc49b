import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';

export interface ToolUse {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** A person's request in words, and the calls that would be right next. */
export interface Question {
  id: string;
  ask: string;
  /** Facts that the assistant knows already. */
  known?: string;
  /** Any of them is right; if the list is empty, calling no tool is right. */
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
