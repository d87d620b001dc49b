import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type ElicitRequest, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TIMESHEET_ID } from './support/fake-facade.js';
import { startMcpForTest, type McpForTest } from './support/mcp.js';

// Hosts of the protocol up to 2025-11-25, with the SDK of that time.

let mcp: McpForTest;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  await start();
});
afterEach(() => stack.disposeAsync());

async function start(confirmationTimeoutMs = 30_000): Promise<void> {
  mcp = stack.use(await startMcpForTest({ sessions: { confirmationTimeoutMs, mostOfOne: 3, most: 8 } }));
  mcp.login('ada');
}

type Answer = (request: ElicitRequest, signal: AbortSignal) => ElicitResult | Promise<ElicitResult>;

interface Connect {
  answer?: Answer;
  fetch?: typeof fetch;
  token?: string;
}

async function connect({ answer, fetch, token = 'ada' }: Connect = {}) {
  const client = new Client({ name: 'old', version: '1' }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, (request, { signal }) => answer(request, signal));
  const transport = new StreamableHTTPClientTransport(new URL(mcp.url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    ...(fetch && { fetch }),
  });
  // Cast: the SDK's own transport is not assignable to its interface under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  stack.defer(() => client.close());
  return { client, transport };
}

const approval = { id: TIMESHEET_ID, intentId: 'intent-0123456789' };
const approve = { name: 'approve_timesheet', arguments: approval };

async function codeOf(result: ReturnType<Client['callTool']>): Promise<string> {
  const { isError, content } = (await result) as { isError?: boolean; content: { text: string }[] };
  expect(isError).toBe(true);
  return (JSON.parse(content[0]!.text) as { code: string }).code;
}

test('lists and calls the tools that it may', async () => {
  const { client } = await connect();
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(15);
  const result = await client.callTool({ name: 'get_timesheet', arguments: { id: TIMESHEET_ID } });
  expect(result.structuredContent).toMatchObject({ id: TIMESHEET_ID });
  expect((await client.readResource({ uri: 'service://business' })).contents).toHaveLength(1);
  expect((await client.getPrompt({ name: 'payroll_review' })).messages).toHaveLength(1);
});

describe('a write', () => {
  test('that is confirmed writes once', async () => {
    const messages: string[] = [];
    const { client } = await connect({
      answer: ({ params }) => {
        messages.push(params.message);
        return { action: 'accept', content: { confirm: true } };
      },
    });
    const result = await client.callTool(approve);
    expect(result.isError).toBeFalsy();
    expect(messages).toEqual([expect.stringContaining('2000.00 EUR')]);
    expect(mcp.facade.writes).toEqual([
      expect.objectContaining({ key: approval.intentId, body: { expectedVersion: '1' } }),
    ]);
  });

  test('can be confirmed by a host without a stream apart from its calls', async () => {
    const { client } = await connect({
      answer: () => ({ action: 'accept', content: { confirm: true } }),
      fetch: async (to, init) => (init?.method === 'GET' ? new Response(null, { status: 405 }) : await fetch(to, init)),
    });
    expect((await client.callTool(approve)).isError).toBeFalsy();
    expect(mcp.facade.writes).toHaveLength(1);
  });

  test.each<[string, ElicitResult]>([
    ['declined', { action: 'decline' }],
    ['cancelled', { action: 'cancel' }],
    ['accepted with the box empty', { action: 'accept', content: { confirm: false } }],
    ['accepted with a text in the box', { action: 'accept', content: { confirm: 'yes' } }],
    ['accepted without the box', { action: 'accept', content: {} }],
  ])('%s is CONFIRMATION_DECLINED', async (_what, answer) => {
    const { client } = await connect({ answer: () => answer });
    expect(await codeOf(client.callTool(approve))).toBe('CONFIRMATION_DECLINED');
    expect(mcp.facade.writes).toEqual([]);
  });

  test('that is not answered in time is CONFIRMATION_EXPIRED, and a late confirmation writes nothing', async () => {
    await start(300);
    const late = Promise.withResolvers<ElicitResult>();
    const { client } = await connect({ answer: () => late.promise });
    expect(await codeOf(client.callTool(approve))).toBe('CONFIRMATION_EXPIRED');
    late.resolve({ action: 'accept', content: { confirm: true } });
    await client.listTools();
    expect(mcp.facade.writes).toEqual([]);
  });

  test('that the host cancels writes nothing', async () => {
    const asked = Promise.withResolvers<void>();
    const { client } = await connect({
      answer: async () => {
        asked.resolve();
        return await new Promise<ElicitResult>(() => {});
      },
    });
    const abort = new AbortController();
    const called = client.callTool(approve, undefined, { signal: abort.signal });
    await asked.promise;
    abort.abort();
    await expect(called).rejects.toThrow();
    await client.listTools();
    expect(mcp.facade.writes).toEqual([]);
  });

  test('by a host without elicitation is CONFIRMATION_UNSUPPORTED', async () => {
    const { client } = await connect();
    expect(await codeOf(client.callTool(approve))).toBe('CONFIRMATION_UNSUPPORTED');
    expect(mcp.facade.writes).toEqual([]);
  });

  test('is refused if the role was lowered while the person decided', async () => {
    const { client } = await connect({
      answer: () => {
        mcp.login('ada', { scopes: ['read'] });
        return { action: 'accept', content: { confirm: true } };
      },
    });
    expect(await codeOf(client.callTool(approve))).toBe('INSUFFICIENT_SCOPE');
    expect(mcp.facade.writes).toEqual([]);
  });
});

describe('a session', () => {
  const status = async (headers: Record<string, string>, method = 'POST'): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const response = await fetch(mcp.url, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      ...(method === 'POST' && { body }),
    });
    await response.body?.cancel();
    return response.status;
  };

  test('belongs to one connection: for others it does not exist', async () => {
    const { transport } = await connect();
    mcp.login('ben');
    const id = transport.sessionId!;
    expect(await status({ authorization: 'Bearer ada', 'mcp-session-id': id })).toBe(200);
    expect(await status({ authorization: 'Bearer ben', 'mcp-session-id': id })).toBe(404);
    expect(await status({ authorization: 'Bearer ben', 'mcp-session-id': id }, 'DELETE')).toBe(404);
    expect(await status({ authorization: 'Bearer ada', 'mcp-session-id': id })).toBe(200);
  });

  test('needs a credential with every message', async () => {
    const { transport } = await connect();
    expect(await status({ 'mcp-session-id': transport.sessionId! })).toBe(401);
  });

  test('follows the live scopes of its connection', async () => {
    const { client } = await connect();
    mcp.login('ada', { scopes: ['read'] });
    expect((await client.listTools()).tools).toHaveLength(10);
    expect(await codeOf(client.callTool(approve))).toBe('INSUFFICIENT_SCOPE');
  });

  test('ends when its host terminates it', async () => {
    const { transport } = await connect();
    const id = transport.sessionId!;
    await transport.terminateSession();
    expect(await status({ authorization: 'Bearer ada', 'mcp-session-id': id })).toBe(404);
  });

  test('is 404 in a process that does not hold it, and a new one works there', async () => {
    const { transport } = await connect();
    const id = transport.sessionId!;
    const { facade } = mcp;
    const other = stack.use(await startMcpForTest({ facade }));
    other.login('ada');
    mcp = other;
    expect(await status({ authorization: 'Bearer ada', 'mcp-session-id': id })).toBe(404);
    const { client } = await connect();
    expect((await client.listTools()).tools).toHaveLength(15);
  });

  test('is closed in favour of newer ones of its connection', async () => {
    const opened = [await connect(), await connect(), await connect(), await connect()];
    const statuses = await Promise.all(
      opened.map(({ transport }) => status({ authorization: 'Bearer ada', 'mcp-session-id': transport.sessionId! })),
    );
    expect(statuses).toEqual([404, 200, 200, 200]);
  });

  test('stays while another workspace opens more than all may have', async () => {
    const { transport } = await connect();
    for (const token of ['b1', 'b2', 'b3', 'b4', 'b5']) {
      mcp.login(token, { workspaceId: 'w-2' });
      for (let n = 0; n < 3; n += 1) await connect({ token });
    }
    expect(await status({ authorization: 'Bearer ada', 'mcp-session-id': transport.sessionId! })).toBe(200);
    const { client } = await connect();
    expect((await client.listTools()).tools).toHaveLength(15);
  });

  test('with an open question is not closed in favour of newer ones', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<ElicitResult>();
    const { client } = await connect({
      answer: () => {
        asked.resolve();
        return answer.promise;
      },
    });
    const called = client.callTool(approve);
    await asked.promise;
    for (let n = 0; n < 4; n += 1) await connect();
    answer.resolve({ action: 'accept', content: { confirm: true } });
    expect((await called).isError).toBeFalsy();
    expect(mcp.facade.writes).toHaveLength(1);
  });

  test('requires initialize: another request without it returns 400, 405 for GET, 404 for an unknown id', async () => {
    expect(await status({ authorization: 'Bearer ada' })).toBe(400);
    expect(await status({ authorization: 'Bearer ada' }, 'GET')).toBe(405);
    expect(await status({ authorization: 'Bearer ada', 'mcp-session-id': 'nonsense' })).toBe(404);
  });
});
