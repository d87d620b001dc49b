import { isDeepStrictEqual } from 'node:util';
import { findTool } from '../tools/catalogue.js';
import { ToolError } from '../tools/tool-error.js';
import type { Question, ToolUse } from './questions.js';

/** By the id of the question; null: the model called nothing. */
export type Answers = Readonly<Record<string, ToolUse | null>>;

export interface Judged {
  question: Question;
  /** What is wrong with the answer; null: nothing. */
  fault: string | null;
}

/** Right as they are or left out, unless a question names them. */
const FREE: ReadonlySet<string> = new Set(['intentId', 'limit', 'description']);

/** Every question is judged: one without an answer is wrong. */
export function judge(questions: readonly Question[], answers: Answers): Judged[] {
  return questions.map((question) => ({ question, fault: faultOf(question, answers) }));
}

/** @throws Error naming the first answer that is to no question, or is no answer. */
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

function faultOf({ id, accept }: Question, answers: Answers): string | null {
  const answer = answers[id];
  if (answer === undefined) return 'no answer';
  if (answer === null) return accept.length === 0 ? null : `calls nothing instead of ${nameOf(accept)}`;
  if (!accept.some(({ tool }) => tool === answer.tool)) return `calls ${answer.tool} instead of ${nameOf(accept)}`;
  const invalid = problemsOf(answer);
  if (invalid !== null) return invalid;
  const isRight = accept.some((use) => use.tool === answer.tool && agrees(use.arguments, answer.arguments));
  return isRight ? null : `other arguments: ${JSON.stringify(answer.arguments)}`;
}

const nameOf = (accept: readonly ToolUse[]): string => accept[0]?.tool ?? 'nothing';

/** As the server reads them. */
function problemsOf(use: ToolUse): string | null {
  try {
    findTool(use.tool)?.read(use.arguments);
    return null;
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
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
