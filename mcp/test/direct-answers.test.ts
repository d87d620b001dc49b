import { ROLE_SCOPES, type Scope } from '@payroll/kernel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CONTRACT_ID, MILESTONE_ID, TIMESHEET_ID } from './support/fake-facade.js';
import { startMcpForTest, type McpForTest } from './support/mcp.js';
import { message } from './support/modern-host.js';
import { openSession, type OldSession } from './support/old-session.js';

// What is answered without the SDK is answered as by the SDK, which gets whatever has anything unusual about it: here a
// parameter of the host's own, which changes nothing.

let mcp: McpForTest;
let session: OldSession;
beforeEach(async () => {
  mcp = await startMcpForTest();
  mcp.login('ada');
  session = await openSession(mcp.url);
});
afterEach(() => mcp[Symbol.asyncDispose]());

const UNUSUAL = { note: 'anything' };

type Send = (method: string, params: object, meta?: object) => Promise<Response>;

const ERAS: [string, Send][] = [
  ['2026-07-28', (method, params, meta) => fetch(mcp.url, message('ada', method, { ...params }, { meta, id: 7 }))],
  [
    '2025-11-25',
    (method, params, meta) => session.post({ id: 7, method, params: { ...params, ...(meta && { _meta: meta }) } }),
  ],
];

/** Only what is there as a whole can say how long it is. */
const isDirect = ({ headers }: Response): boolean => headers.has('content-length');

/** The JSON, of an answer or of the only event of its stream, and all that HTTP says about it. */
async function read(response: Response) {
  const { status, headers } = response;
  const text = await response.text();
  const named = ['content-type', 'cache-control', 'x-accel-buffering', 'mcp-session-id', 'x-content-type-options'];
  return {
    status,
    headers: named.map((name) => `${name}: ${headers.get(name)}`),
    event: text.startsWith('event: ') ? text.split('\n')[0] : null,
    answer: JSON.parse(text.replace(/^event: message\ndata: /, '')) as { result?: unknown },
  };
}

const CALLS: [string, object | undefined][] = [
  ['get_business', {}],
  ['get_business', undefined],
  ['list_contracts', { limit: 7, includeDeleted: 'true' }],
  ['get_contract', { id: CONTRACT_ID }],
  ['list_timesheets', { status: 'submitted', contractId: CONTRACT_ID }],
  ['get_timesheet', { id: TIMESHEET_ID }],
  ['list_milestones', { contractId: CONTRACT_ID }],
  ['get_milestone', { id: MILESTONE_ID }],
  ['list_payments', { updatedSince: '2026-01-01T00:00:00Z' }],
  ['get_payment', { id: TIMESHEET_ID }],
  ['get_balances', {}],
  ['get_contract', {}],
  ['get_contract', { id: 'nonsense', more: [] }],
  ['list_contracts', { limit: '7' }],
];

describe.each(ERAS)('for a host of %s', (_era, send) => {
  async function bothWays(method: string, params: object) {
    const [direct, bySdk] = [await send(method, params), await send(method, { ...params, ...UNUSUAL })];
    expect([isDirect(direct), isDirect(bySdk)]).toEqual([true, false]);
    const answers = [await read(direct), await read(bySdk)] as const;
    // Each failure of the API is a request of its own.
    const same = JSON.stringify(answers).replaceAll(/requestId\\":\\"[^"]*\\"/g, '');
    const [first, second] = JSON.parse(same) as typeof answers;
    expect(first).toEqual(second);
    expect(first.answer.result).toBeDefined();
  }

  test.each(CALLS)('%s %j is answered as by the SDK', async (name, given) => {
    await bothWays('tools/call', { name, ...(given && { arguments: given }) });
  });

  test.each<[readonly Scope[]]>([[ROLE_SCOPES.admin], [ROLE_SCOPES.viewer], [['contracts:write']], [[]]])(
    'and the list of tools for %j',
    async (scopes) => {
      mcp.login('ada', { scopes });
      await bothWays('tools/list', {});
    },
  );

  test('and what the scopes do not allow', async () => {
    mcp.login('ada', { scopes: ['contracts:write'] });
    await bothWays('tools/call', { name: 'get_business' });
  });

  test('a call whose host wants to hear of progress too', async () => {
    expect(isDirect(await send('tools/call', { name: 'get_business' }, { progressToken: 3 }))).toBe(true);
  });

  test('the body of /v1 comes as it is, whatever its digits and spaces', async () => {
    const body = '{"exact": 12345678901234567890.10,\n "text": "two\\nlines \u2028 \\ud83d\\ude00"}';
    mcp.facade.troubles.push({ status: 200, json: body });
    const answer = await (await send('tools/call', { name: 'get_business' })).text();
    expect(answer).toContain('"structuredContent":{"exact": 12345678901234567890.10,');
    const { result } = (await read(new Response(answer))).answer as { result: { content: { text: string }[] } };
    expect(result.content[0]!.text).toBe(body);
  });

  test.each([
    ['tools/call', { name: 'approve_timesheet', arguments: {} }],
    ['tools/call', { name: 'get_business', arguments: [] }],
    ['tools/call', { name: 'get_business', task: { ttl: 1 } }],
    ['tools/call', { name: 'sign_contract' }],
    ['tools/list', { cursor: 'a' }],
    ['resources/list', {}],
  ])('%s %j is left to the SDK', async (method, params) => {
    expect(isDirect(await send(method, params))).toBe(false);
  });
});

test.each([
  ['mcp-method', 'tools/list'],
  ['mcp-name', 'get_contract'],
  ['mcp-protocol-version', '2025-11-25'],
])('a header %s that does not match the body is refused', async (name, value) => {
  const init = message('ada', 'tools/call', { name: 'get_business' });
  const { status } = await fetch(mcp.url, { ...init, headers: { ...init.headers, [name]: value } });
  expect(status).toBe(400);
  expect(mcp.facade.state.requests).toBe(0);
});
