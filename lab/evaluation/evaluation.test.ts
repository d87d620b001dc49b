import { ROLE_SCOPES } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { toolsFor } from '../../mcp/src/tools/catalogue.js';
import { type Answers, type Question, type ToolUse, evaluation, judge, problemsOf, readAnswers } from './score.js';

const { questions } = evaluation;
const tools = toolsFor(ROLE_SCOPES.admin);
const INTENT = 'b7c1c5a8-2f35-4a58-8f6c-0f3f2ad0a4f1';
const writes = new Set(tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name));

/** As a model would send it: a write has its own intent. */
const sent = ({ tool, arguments: given }: ToolUse): ToolUse => ({
  tool,
  arguments: writes.has(tool) ? { intentId: INTENT, ...given } : given,
});

const perfect: Answers = Object.fromEntries(
  questions.map(({ id, accept }) => [id, accept[0] === undefined ? null : sent(accept[0])]),
);

const faultOf = (id: string, answer: ToolUse | null): string | null | undefined =>
  judge(questions, { ...perfect, [id]: answer }, tools).find(({ question }) => question.id === id)?.fault;

describe('the questions', () => {
  it('there are forty questions, each with its own id, and at least two for each tool', () => {
    expect(new Set(questions.map(({ id }) => id)).size).toBe(40);
    const asked = questions.flatMap(({ accept }) => [...new Set(accept.map(({ tool }) => tool))]);
    for (const { name } of tools)
      expect([name, asked.filter((tool) => tool === name).length >= 2]).toEqual([name, true]);
    expect(questions.filter(({ accept }) => accept.length === 0).length).toBeGreaterThanOrEqual(3);
  });

  it.each(questions.flatMap(({ id, accept }) => accept.map((use) => [id, use] as const)))(
    'the server accepts every accepted answer to %s',
    (_id, use) => {
      expect(problemsOf(sent(use), tools)).toBeNull();
    },
  );

  // Otherwise a model could not know them.
  it.each(questions)('$id names every id that its calls need', ({ ask, known, accept }: Question) => {
    const ids = accept.flatMap(({ arguments: given }) => [given['id'], given['contractId'], given['intentId']]);
    for (const id of ids.filter((each) => each !== undefined)) expect(`${ask} ${known}`).toContain(id);
  });
});

describe('the score', () => {
  it('finds no fault in right answers, and a fault in every missing one', () => {
    expect(judge(questions, perfect, tools).filter(({ fault }) => fault !== null)).toEqual([]);
    expect(judge(questions, {}, tools).map(({ fault }) => fault)).toEqual(questions.map(() => 'no answer'));
  });

  it.each<[string, string, ToolUse | null, RegExp]>([
    [
      'another tool',
      'failed-payments',
      { tool: 'get_balances', arguments: {} },
      /get_balances instead of list_payments/,
    ],
    ['a tool where none fits', 'sign', { tool: 'get_business', arguments: {} }, /instead of nothing/],
    ['nothing where a tool fits', 'money', null, /nothing instead of get_balances/],
    ['an argument too many', 'active-contracts', { tool: 'list_contracts', arguments: { search: 'x' } }, /search/],
    [
      'another filter',
      'active-contracts',
      { tool: 'list_contracts', arguments: { status: 'draft' } },
      /other arguments/,
    ],
    ['no intent', 'approve-milestone', { tool: 'approve_milestone', arguments: {} }, /intentId/],
  ])('%s is wrong', (_what, id, answer, fault) => {
    expect(faultOf(id, answer)).toMatch(fault);
  });

  it('a retry with a new intent is wrong', () => {
    const right = perfect['approve-again']!;
    expect(faultOf('approve-again', { ...right, arguments: { ...right.arguments, intentId: INTENT } })).toMatch(
      /other arguments/,
    );
  });

  it('an additional limit is neither right nor wrong', () => {
    expect(faultOf('all-contracts', { tool: 'list_contracts', arguments: { limit: 50 } })).toBeNull();
  });
});

it.each([
  ['[]', /one JSON object/],
  ['{"nobody-asked": null}', /no question "nobody-asked"/],
  ['{"money": "get_balances"}', /the answer to "money"/],
  ['{"money": {"tool": "get_balances"}}', /the answer to "money"/],
])('refuses answers like %s with a sentence', (text, sentence) => {
  expect(() => readAnswers(questions, text)).toThrow(sentence);
});
