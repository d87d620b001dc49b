import { describe, expect, test } from 'vitest';
import { MILESTONE_ID, TIMESHEET_ID } from './support/fake-facade.js';
import { startMcpForTest } from './support/mcp.js';
import { callTool, failureOf, yes, type Round } from './support/modern-host.js';
import { approval, INTENT, rejection, serverWithAda } from './support/server-with-ada.js';

const ada = serverWithAda();
const { ask, call, writes } = ada;

describe('a confirmation', () => {
  test.each([
    ['approve_timesheet', approval, { expectedVersion: '1' }],
    ['reject_timesheet', rejection, { expectedVersion: '1', reason: rejection.reason }],
    ['approve_milestone', { ...approval, id: MILESTONE_ID }, { expectedVersion: '1' }],
    ['reject_milestone', { ...rejection, id: MILESTONE_ID }, { expectedVersion: '1', reason: rejection.reason }],
    ['create_contract_draft', { title: 'New', intentId: INTENT }, { title: 'New' }],
  ])('%s writes the reviewed change once, with the intent as its key', async (name, given, body) => {
    const { requestState } = await ask(name, given);
    expect(writes()).toBe(0);
    const { result } = await call(name, given, { requestState, inputResponses: yes });
    expect(result?.isError).toBeFalsy();
    expect(ada.mcp.facade.writes).toEqual([expect.objectContaining({ key: INTENT, body })]);
    expect(JSON.parse(result!.content![0]!.text)).toEqual(result!.structuredContent);
  });

  test('sent again after a lost answer returns the original result and writes nothing more', async () => {
    const { requestState } = await ask();
    const round = { requestState, inputResponses: yes };
    const answers = [
      await call('approve_timesheet', approval, round),
      await call('approve_timesheet', approval, round),
    ];
    expect(answers[1]!.result?.structuredContent).toEqual(answers[0]!.result?.structuredContent);
    expect(writes()).toBe(1);
  });

  test('sent twenty times at once writes once', async () => {
    const { requestState } = await ask();
    const round = { requestState, inputResponses: yes };
    await Promise.all(Array.from({ length: 20 }, () => call('approve_timesheet', approval, round)));
    expect(writes()).toBe(1);
  });

  test('is accepted by another process with the same keys, even if a new key signs there', async () => {
    const { requestState } = await ask();
    await using other = await startMcpForTest({
      facade: ada.mcp.facade,
      keys: [Buffer.alloc(32, 8), Buffer.alloc(32, 7)],
    });
    other.login('ada');
    const answer = await callTool(other.url, 'approve_timesheet', approval, {
      token: 'ada',
      requestState,
      inputResponses: yes,
    });
    expect(answer.result?.isError).toBeFalsy();
    expect(writes()).toBe(1);
  });

  test('is accepted for the same arguments in another order', async () => {
    const { requestState } = await ask('reject_timesheet', rejection);
    const { reason, intentId, id } = rejection;
    const { result } = await call('reject_timesheet', { reason, intentId, id }, { requestState, inputResponses: yes });
    expect(result?.isError).toBeFalsy();
    expect(writes()).toBe(1);
  });
});

describe('without a confirmation', () => {
  test.each<[string, Partial<Round>]>([
    ['an answer without a state', { inputResponses: yes }],
    ['a smuggled answer under another name', { inputResponses: { approve: yes.confirm } }],
  ])('%s is answered with a request to confirm', async (_what, round) => {
    const { result } = await call('approve_timesheet', approval, round);
    expect(result?.resultType).toBe('input_required');
    expect(writes()).toBe(0);
  });

  test.each<[string, unknown]>([
    ['no answer', undefined],
    ['an answer under the wrong key', { approve: { action: 'accept', content: { confirm: true } } }],
    ['the string "true"', { confirm: { action: 'accept', content: { confirm: 'true' } } }],
    ['the number 1', { confirm: { action: 'accept', content: { confirm: 1 } } }],
    ['an accepted form without the box', { confirm: { action: 'accept', content: {} } }],
    ['an accepted form without content', { confirm: { action: 'accept' } }],
    ['a wrapped answer', { confirm: { method: 'elicitation/create', result: yes.confirm } }],
    ['an answer of another kind', { confirm: { roots: [] } }],
  ])('%s is answered with another request to confirm', async (_what, inputResponses) => {
    const { requestState } = await ask();
    const { result } = await call('approve_timesheet', approval, { requestState, inputResponses });
    expect(result?.resultType).toBe('input_required');
    expect(writes()).toBe(0);
  });

  test.each<[string, object]>([
    ['declined', { action: 'decline' }],
    ['cancelled', { action: 'cancel' }],
    ['accepted with the box empty', { action: 'accept', content: { confirm: false } }],
    ['declined with a yes inside', { action: 'decline', content: { confirm: true } }],
  ])('%s is CONFIRMATION_DECLINED', async (_what, confirm) => {
    const { requestState } = await ask();
    const answer = await call('approve_timesheet', approval, { requestState, inputResponses: { confirm } });
    expect(failureOf(answer).code).toBe('CONFIRMATION_DECLINED');
    expect(writes()).toBe(0);
    // A later confirmation with this state is refused.
    const later = await call('approve_timesheet', approval, { requestState, inputResponses: yes });
    expect(failureOf(later).code).toBe('CONFIRMATION_DECLINED');
    expect(writes()).toBe(0);
  });

  test('a decline after a confirmation does not say that nothing was changed, and ends the review', async () => {
    const { requestState } = await ask();
    const answerWith = (confirm: object) =>
      call('approve_timesheet', approval, { requestState, inputResponses: { confirm } });
    const first = await answerWith(yes.confirm);
    expect((await answerWith(yes.confirm)).result).toEqual(first.result);
    const declined = failureOf(await answerWith({ action: 'decline' }));
    expect(declined).toEqual({
      code: 'CONFIRMATION_MISMATCH',
      message: expect.stringContaining('had confirmed this review before, so the change may have been made'),
    });
    expect(failureOf(await answerWith(yes.confirm))).toEqual(declined);
    expect(writes()).toBe(1);
  });

  test('a decline ends its own review alone: the next one can be confirmed', async () => {
    const [first, second] = [await ask(), await ask()];
    await call('approve_timesheet', approval, {
      requestState: first.requestState,
      inputResponses: { confirm: { action: 'decline' } },
    });
    const { result } = await call('approve_timesheet', approval, {
      requestState: second.requestState,
      inputResponses: yes,
    });
    expect(result?.isError).toBeFalsy();
    expect(writes()).toBe(1);
  });

  test.each<[string, object]>([
    ['no capability', {}],
    ['only URLs', { elicitation: { url: {} } }],
  ])('%s is CONFIRMATION_UNSUPPORTED, as a result', async (_what, capabilities) => {
    const answer = await call('approve_timesheet', approval, { capabilities });
    expect(answer.status).toBe(200);
    expect(failureOf(answer)).toEqual({
      code: 'CONFIRMATION_UNSUPPORTED',
      message: expect.stringContaining(
        `in the application: http://127.0.0.1:4002/workspaces/w-1/review/timesheet/${TIMESHEET_ID}`,
      ),
    });
    const { requestState } = await ask();
    const later = await call('approve_timesheet', approval, { capabilities, requestState, inputResponses: yes });
    expect(failureOf(later).code).toBe('CONFIRMATION_UNSUPPORTED');
    expect(writes()).toBe(0);
  });

  test('the error for a draft links to the page for a new one', async () => {
    const draft = { title: 'New', intentId: INTENT };
    const answer = await call('create_contract_draft', draft, { capabilities: {} });
    expect(failureOf(answer)).toMatchObject({
      code: 'CONFIRMATION_UNSUPPORTED',
      message: expect.stringMatching(
        /Make the change in the application: http:\/\/127\.0\.0\.1:4002\/workspaces\/w-1\/contracts\/new$/,
      ),
    });
  });

  test('a host that names elicitation without a mode can show forms', async () => {
    const { result } = await call('approve_timesheet', approval, { capabilities: { elicitation: {} } });
    expect(result?.resultType).toBe('input_required');
  });

  test.each([
    [{ ...approval, expectedVersion: '1' }, 'expectedVersion'],
    [{ ...approval, confirmed: true }, 'confirmed'],
    [{ ...approval, confirm: true }, 'confirm'],
  ])('arguments that a model must not set are refused: %j', async (given, path) => {
    const answer = await call('approve_timesheet', given);
    expect(failureOf(answer)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path, code: 'unknown_property' }],
    });
    expect(writes()).toBe(0);
  });
});

describe('between the rounds', () => {
  test('if the resource changes, the API reports that it is stale', async () => {
    const { requestState } = await ask();
    ada.mcp.facade.state.version = '2';
    const answer = await call('approve_timesheet', approval, { requestState, inputResponses: yes });
    expect(failureOf(answer)).toMatchObject({
      code: 'STALE_RESOURCE_VERSION',
      status: 409,
      requestId: expect.any(String),
    });
    expect(writes()).toBe(0);
  });

  test('if the scope is lost, the write is refused', async () => {
    const { requestState } = await ask();
    ada.mcp.login('ada', { scopes: ['read'] });
    const answer = await call('approve_timesheet', approval, { requestState, inputResponses: yes });
    expect(failureOf(answer).code).toBe('INSUFFICIENT_SCOPE');
    expect(writes()).toBe(0);
  });

  test('if the connection is revoked, the answer is 401 with a challenge', async () => {
    const { requestState } = await ask();
    ada.mcp.logout('ada');
    const answer = await call('approve_timesheet', approval, { requestState, inputResponses: yes });
    expect(answer.status).toBe(401);
    expect(writes()).toBe(0);
  });

  test('if the API is down for a while, the same state then writes once', async () => {
    const { requestState } = await ask();
    const round = { requestState, inputResponses: yes };
    ada.mcp.facade.troubles.push({ status: 503 }, { status: 503 }, { status: 503 });
    expect(failureOf(await call('approve_timesheet', approval, round))).toMatchObject({ status: 503 });
    expect((await call('approve_timesheet', approval, round)).result?.isError).toBeFalsy();
    expect(writes()).toBe(1);
  });
});
