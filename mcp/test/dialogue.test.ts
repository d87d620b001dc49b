import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MILESTONE_ID, TIMESHEET_ID } from './support/fake-facade.js';
import { failureOf, FORMS } from './support/modern-host.js';
import { approval, INTENT, rejection, serverWithAda } from './support/server-with-ada.js';

const ada = serverWithAda();
const { ask, call } = ada;
// Still the 13th in UTC, and no longer in Helsinki.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-02-13T23:30:00Z') }));
afterEach(() => vi.useRealTimers());

describe('the dialogue', () => {
  test('for a timesheet shows everything that is decided on', async () => {
    const { message } = await ask();
    for (const shown of [
      '“Acme”',
      '“Ada Worker”',
      '“Site work”',
      '2026-01-01 to 2026-01-31',
      '2000.00 EUR',
      'Payment date: 2026-02-14\n',
      'Automatic payment: on',
    ]) {
      expect(message).toContain(shown);
    }
  });

  test('for a milestone says that it is processed immediately, and on which day', async () => {
    const { message } = await ask('approve_milestone', { ...approval, id: MILESTONE_ID });
    const today = 'Payment date: 2026-02-13 (today, UTC)';
    for (const shown of ['“Acme”', '“Ada Worker”', '“Site work”', '900 USD', today, 'processed immediately']) {
      expect(message).toContain(shown);
    }
  });

  test('for rejecting a milestone promises no payment date', async () => {
    const { message } = await ask('reject_milestone', { ...rejection, id: MILESTONE_ID });
    expect(message).toContain('Payment date: none (nothing will be paid)');
    expect(message).not.toContain('processed');
  });

  test('for a timesheet whose payment date has passed says when it is due', async () => {
    vi.setSystemTime('2026-02-15T00:00:00Z');
    expect((await ask()).message).toContain('Payment date: 2026-02-14 (past, so due today)\n');
  });

  test('for a rejection shows the reason', async () => {
    const { message } = await ask('reject_timesheet', rejection);
    expect(message).toContain(`Reason: “${rejection.reason}”`);
    expect(message).not.toContain('Automatic payment');
  });

  test.each([
    ['approve_timesheet', approval, `timesheet/${TIMESHEET_ID}`],
    ['reject_milestone', { ...rejection, id: MILESTONE_ID }, `milestone/${MILESTONE_ID}`],
  ])('for %s shows the address of the work in the application', async (tool, given, path) => {
    const { message } = await ask(tool, given);
    expect(message).toContain(`In the application: http://127.0.0.1:4002/workspaces/w-1/review/${path}`);
  });

  test('for a draft reads nothing, and shows what the model has filled in', async () => {
    ada.mcp.login('ada', { scopes: ['contracts:write'] });
    const { message } = await ask('create_contract_draft', { title: 'New', startDate: '2026-05-01', intentId: INTENT });
    expect(message).toContain('Title: “New”');
    expect(message).toContain('Start date: 2026-05-01');
    expect(ada.mcp.facade.state.requests).toBe(0);
  });

  test('for a draft shows every word of the longest description', async () => {
    const description = `${'word '.repeat(1_999)}last.`;
    const { message } = await ask('create_contract_draft', { title: 'New', description, intentId: INTENT });
    expect(message).toContain(`Description: “${description}”`);
  });

  test('cannot be counterfeited by a title', async () => {
    ada.mcp.facade.state.title = 'Work”\nAmount: 1.00 EUR\u202e\u200b\n\n“';
    const { message } = await ask();
    expect(message.split('\n').filter((line) => line.startsWith('Amount:'))).toEqual(['Amount: 2000.00 EUR']);
    expect(message).toContain('Contract: “Work’ Amount: 1.00 EUR ’”');
  });

  test('is not shown for work that is not submitted', async () => {
    ada.mcp.facade.state.status = 'approved';
    expect(failureOf(await call('approve_timesheet', approval))).toMatchObject({ code: 'INVALID_STATE' });
  });

  test('is a form with one box that starts empty', async () => {
    const { result } = await call('approve_timesheet', approval, { capabilities: FORMS });
    expect(result!.inputRequests).toEqual({
      confirm: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: expect.any(String),
          requestedSchema: {
            type: 'object',
            properties: { confirm: { type: 'boolean', title: 'I confirm this', default: false } },
            required: ['confirm'],
          },
        },
      },
    });
  });

  test('reveals nothing to the host: the state contains digests', async () => {
    const { requestState } = await ask('reject_timesheet', rejection);
    const readable = Buffer.from(requestState.split('.')[1]!, 'base64url').toString();
    for (const secret of ['missing', 'Ada', 'principal', TIMESHEET_ID]) expect(readable).not.toContain(secret);
  });
});
