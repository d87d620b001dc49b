import { describe, expect, test } from 'vitest';
import { MILESTONE_ID } from './support/fake-facade.js';
import { startMcpForTest } from './support/mcp.js';
import { callTool, failureOf, yes, type RpcAnswer } from './support/modern-host.js';
import { approval, INTENT, rejection, serverWithAda } from './support/server-with-ada.js';

const ada = serverWithAda();
const { ask, call, writes } = ada;

describe('CONFIRMATION_MISMATCH, and nothing is written', () => {
  const expectMismatch = async (answer: Promise<RpcAnswer>): Promise<string> => {
    const failure = failureOf(await answer);
    expect(failure.code).toBe('CONFIRMATION_MISMATCH');
    expect(writes()).toBe(0);
    return String(failure['message']);
  };

  test.each<[string, object]>([
    ['changed', { ...rejection, reason: 'Another reason.' }],
    ['another intent', { ...rejection, intentId: 'intent-9876543210' }],
    ['another resource', { ...rejection, id: MILESTONE_ID }],
  ])('arguments: %s', async (_what, given) => {
    const { requestState } = await ask('reject_timesheet', rejection);
    await expectMismatch(call('reject_timesheet', given, { requestState, inputResponses: yes }));
  });

  test('an added or removed argument', async () => {
    const small = { title: 'New', intentId: INTENT };
    const large = { ...small, description: 'more' };
    const [ofSmall, ofLarge] = [await ask('create_contract_draft', small), await ask('create_contract_draft', large)];
    await expectMismatch(
      call('create_contract_draft', large, { requestState: ofSmall.requestState, inputResponses: yes }),
    );
    await expectMismatch(
      call('create_contract_draft', small, { requestState: ofLarge.requestState, inputResponses: yes }),
    );
  });

  test('the state of another tool', async () => {
    const { requestState } = await ask('approve_milestone', { ...approval, id: MILESTONE_ID });
    await expectMismatch(
      call('approve_timesheet', { ...approval, id: MILESTONE_ID }, { requestState, inputResponses: yes }),
    );
  });

  test.each([
    ['principal', { principalId: 'somebody else' }],
    ['workspace', { principalId: 'principal of ada', workspaceId: 'w-2' }],
  ])('the state of another %s', async (_what, caller) => {
    const { requestState } = await ask();
    ada.mcp.login('ben', caller);
    await expectMismatch(call('approve_timesheet', approval, { token: 'ben', requestState, inputResponses: yes }));
  });

  test('a state signed with another key', async () => {
    await using other = await startMcpForTest({ facade: ada.mcp.facade, keys: [Buffer.alloc(32, 9)] });
    other.login('ada');
    const { result } = await callTool(other.url, 'approve_timesheet', approval, { token: 'ada' });
    await expectMismatch(
      call('approve_timesheet', approval, { requestState: result!.requestState, inputResponses: yes }),
    );
  });

  test('a state with any character changed, its last one to every other', async () => {
    const { requestState } = await ask();
    const swap = (at: number, by: string): string => requestState.slice(0, at) + by + requestState.slice(at + 1);
    const alphabet = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
    const last = requestState.length - 1;
    const altered = [
      ...[...requestState].map((character, at) => swap(at, character === 'A' ? 'B' : 'A')),
      ...alphabet.filter((each) => each !== requestState[last]).map((each) => swap(last, each)),
      requestState.slice(0, -1),
      `${requestState}=`,
      `${requestState}A`,
      '',
    ];
    for (const each of altered) {
      await expectMismatch(call('approve_timesheet', approval, { requestState: each, inputResponses: yes }));
    }
  }, 60_000);

  test('an expired state, and the message says so', async () => {
    await using brief = await startMcpForTest({ facade: ada.mcp.facade, ttlSeconds: -1 });
    brief.login('ada');
    const { result } = await callTool(brief.url, 'approve_timesheet', approval, { token: 'ada' });
    const late = call('approve_timesheet', approval, { requestState: result!.requestState, inputResponses: yes });
    expect(await expectMismatch(late)).toContain('expired');
  });
});
