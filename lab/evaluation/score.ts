import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { repositoryRoot } from '@payroll/infra/processes';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

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

/** As the server lists it. */
export interface ListedTool {
  name: string;
  inputSchema: object;
}

/** By the id of the question; null if the model called no tool. */
export type Answers = Readonly<Record<string, ToolUse | null>>;

export interface Judged {
  question: Question;
  /** The fault of the answer; null if it is right. */
  fault: string | null;
}

/** Accepted with any value or none, unless a question specifies them. */
const FREE: ReadonlySet<string> = new Set(['intentId', 'limit', 'description']);

/** Judges every question; a missing answer is wrong. */
export function judge(questions: readonly Question[], answers: Answers, tools: readonly ListedTool[]): Judged[] {
  return questions.map((question) => ({ question, fault: faultOf(question, answers, tools) }));
}

/** @throws Error naming the first answer that has no question or is malformed */
export function readAnswers(questions: readonly Question[], text: string): Answers {
  const given: unknown = JSON.parse(text);
  if (!isObject(given)) throw new Error('the answers are one JSON object: the id of each question, and the call');
  for (const [id, answer] of Object.entries(given)) {
    if (!questions.some((question) => question.id === id)) throw new Error(`there is no question "${id}"`);
    if (answer !== null && !isToolUse(answer))
      throw new Error(`the answer to "${id}" is null or { "tool": "…", "arguments": { … } }`);
  }
  return given as Answers;
}

function faultOf({ id, accept }: Question, answers: Answers, tools: readonly ListedTool[]): string | null {
  const answer = answers[id];
  if (answer === undefined) return 'no answer';
  if (answer === null) return accept.length === 0 ? null : `calls nothing instead of ${nameOf(accept)}`;
  if (!accept.some(({ tool }) => tool === answer.tool)) return `calls ${answer.tool} instead of ${nameOf(accept)}`;
  const invalid = problemsOf(answer, tools);
  if (invalid !== null) return invalid;
  const isRight = accept.some((use) => use.tool === answer.tool && agrees(use.arguments, answer.arguments));
  return isRight ? null : `other arguments: ${JSON.stringify(answer.arguments)}`;
}

const nameOf = (accept: readonly ToolUse[]): string => accept[0]?.tool ?? 'nothing';

/** How the arguments violate the listed schema of the tool; null if they do not. */
export function problemsOf({ tool, arguments: given }: ToolUse, tools: readonly ListedTool[]): string | null {
  const schema = tools.find(({ name }) => name === tool)?.inputSchema;
  if (!schema) return `there is no tool ${tool}`;
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  if (ajv.validate(schema, given)) return null;
  return ajv.errors!.map((each) => `${each.instancePath} ${each.message} ${JSON.stringify(each.params)}`).join('; ');
}

function agrees(wanted: ToolUse['arguments'], given: ToolUse['arguments']): boolean {
  const judged = Object.entries(given).filter(([name]) => name in wanted || !FREE.has(name));
  return isDeepStrictEqual(Object.fromEntries(judged), { ...wanted });
}

function isToolUse(value: unknown): value is ToolUse {
  return isObject(value) && typeof value['tool'] === 'string' && isObject(value['arguments']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
