import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMcpForTest, type McpForTest } from './support/mcp.js';
import { FORMS, message, rpc } from './support/modern-host.js';
import { openSession } from './support/old-session.js';

// A request that is refused before a tool is called gets a JSON-RPC error with a code of the API and our own message:
// never one of the SDK's validator, of Fastify or of an exception.

let mcp: McpForTest;
beforeEach(async () => {
  mcp = await startMcpForTest();
  mcp.login('ada');
});
afterEach(() => mcp[Symbol.asyncDispose]());

const FOREIGN =
  /FST_|statusCode|Route |Client Error|Invalid|expected|received|issue|Bad Request|Not Acceptable|not found|Payload/;

function expectOurs(body: string, code: string): void {
  const { jsonrpc, error } = JSON.parse(body) as { jsonrpc: string; error: { message: string; data: object } };
  expect({ jsonrpc, data: error.data }).toMatchObject({ jsonrpc: '2.0', data: { code } });
  expect(error.message).toMatch(/^[A-Z].*[.]$|connect to/);
  expect(JSON.stringify(error)).not.toMatch(FOREIGN);
}

describe('over HTTP', () => {
  const json = { authorization: 'Bearer ada', 'content-type': 'application/json' };
  const accept = { accept: 'application/json, text/event-stream' };
  const initialize = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  });

  test.each<[string, string, RequestInit, number, string]>([
    ['another method', '/mcp', { method: 'PUT', headers: json }, 405, 'INVALID_REQUEST'],
    ['another method with a body', '/mcp', { method: 'PATCH', headers: json, body: '{' }, 405, 'INVALID_REQUEST'],
    ['another address', '/nothing', {}, 404, 'NOT_FOUND'],
    ['another address with a body', '/mcp/', { method: 'POST', headers: json, body: '' }, 404, 'NOT_FOUND'],
    ['an address that cannot be read', '/%zz', {}, 400, 'INVALID_REQUEST'],
    ['no credential', '/mcp', { method: 'POST' }, 401, 'INVALID_CREDENTIAL'],
    ['what is not JSON', '/mcp', { method: 'POST', headers: json, body: '{' }, 400, 'INVALID_REQUEST'],
    ['what is no message', '/mcp', { method: 'POST', headers: json, body: '{"id":1}' }, 400, 'INVALID_REQUEST'],
    [
      'too much',
      '/mcp',
      { method: 'POST', headers: json, body: `"${'x'.repeat(1_100_000)}"` },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'a host that takes no answer',
      '/mcp',
      { method: 'POST', headers: json, body: initialize },
      406,
      'INVALID_REQUEST',
    ],
    [
      'a strange page',
      '/mcp',
      { method: 'POST', headers: { ...json, ...accept, origin: 'https://evil.example' } },
      403,
      'INVALID_REQUEST',
    ],
  ])('%s', async (_what, path, init, status, code) => {
    const response = await fetch(`${mcp.origin}${path}`, init);
    expect(response.status).toBe(status);
    expectOurs(await response.text(), code);
    if (status === 405) expect(response.headers.get('allow')).toBe('GET, POST, DELETE');
  });

  test.each([
    ['nonsense', 'NONSENSE\r\n\r\n'],
    ['headers that are too large', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a strange host', 'POST /mcp HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n'],
  ])('%s on the socket', async (_what, sent) => {
    const socket = connect(Number(new URL(mcp.url).port), '127.0.0.1');
    socket.write(sent);
    const [, body] = (await text(socket)).split('\r\n\r\n');
    expectOurs(body!, 'INVALID_REQUEST');
  });
});

const MISFITS: [string, object][] = [
  ['tools/call', {}],
  ['tools/call', { name: 'get_business', arguments: [1] }],
  ['tools/list', { cursor: 5 }],
  ['resources/list', { cursor: 5 }],
  ['resources/templates/list', { cursor: 5 }],
  ['resources/read', {}],
  ['prompts/list', { cursor: 5 }],
  ['prompts/get', { name: 5 }],
];
const STRANGE: [string, object, string][] = [
  ['tools/call', { name: 'sign_contract' }, 'NOT_FOUND'],
  ['resources/read', { uri: 'service://payroll' }, 'NOT_FOUND'],
  ['prompts/get', { name: 'sign' }, 'NOT_FOUND'],
  ['contracts/sign', {}, 'NOT_FOUND'],
];

describe.each<[string, (method: string, params: object) => Promise<{ code: number; data?: unknown }>]>([
  ['2026-07-28', async (method, params) => (await rpc(mcp.url, 'ada', method, { ...params })).error!],
  [
    '2025-11-25',
    async (method, params) => (await (await (await openSession(mcp.url)).call(method, params)).next())!.error!,
  ],
])('by the protocol of %s', (_era, refused) => {
  test.each(MISFITS)('%s %j is invalid', async (method, params) => {
    const error = await refused(method, params);
    expectOurs(JSON.stringify({ jsonrpc: '2.0', error }), 'VALIDATION_FAILED');
    expect(error.code).toBe(-32_602);
  });

  test.each(STRANGE)('%s %j', async (method, params, code) => {
    const error = await refused(method, params);
    expectOurs(JSON.stringify({ jsonrpc: '2.0', error }), code);
    // The protocol requires this for a resource.
    if ('uri' in params) expect(error).toMatchObject({ code: -32_602, data: { uri: params.uri } });
  });

  test('reports an unexpected exception as INTERNAL_ERROR', async () => {
    mcp.login('ada', { scopes: Object.assign([], { includes: undefined }) as [] });
    expectOurs(JSON.stringify({ jsonrpc: '2.0', error: await refused('tools/list', {}) }), 'INTERNAL_ERROR');
  });
});

test('reports what a host of 2026-07-28 cannot listen to as VALIDATION_FAILED', async () => {
  const { error } = await rpc(mcp.url, 'ada', 'subscriptions/listen', { notifications: 5 });
  expectOurs(JSON.stringify({ jsonrpc: '2.0', error }), 'VALIDATION_FAILED');
});

test('reports invalid capabilities of a host of 2026-07-28 as VALIDATION_FAILED', async () => {
  const { error } = await rpc(mcp.url, 'ada', 'tools/list', {}, { ...FORMS, elicitation: 5 });
  expectOurs(JSON.stringify({ jsonrpc: '2.0', error }), 'VALIDATION_FAILED');
});

test.each([
  ['mcp-method', 'tools/list'],
  ['mcp-name', 'get_contract'],
  ['mcp-protocol-version', '2025-11-25'],
])('a header %s that does not match the body is refused', async (name, value) => {
  const init = message('ada', 'tools/call', { name: 'get_business' });
  const response = await fetch(mcp.url, { ...init, headers: { ...init.headers, [name]: value } });
  expect(response.status).toBe(400);
  expectOurs(await response.text(), 'INVALID_REQUEST');
  expect(mcp.facade.state.requests).toBe(0);
});

test('an unsupported revision is refused with the list of supported ones', async () => {
  const session = await openSession(mcp.url);
  session.headers['mcp-protocol-version'] = '1999-01-01';
  const response = await session.post({ id: 9, method: 'tools/list' });
  expect(response.status).toBe(400);
  expectOurs(await response.text(), 'INVALID_REQUEST');
});

test.each<[string, () => Promise<unknown>]>([
  ['2026-07-28', async () => (await rpc(mcp.url, 'ada', 'server/discover')).result],
  ['2025-11-25', async () => (await openSession(mcp.url)).begun?.result],
])('a host of %s is told that the lists do not change', async (_era, advertised) => {
  const off = { listChanged: false };
  expect(await advertised()).toMatchObject({ capabilities: { tools: off, resources: off, prompts: off } });
});
