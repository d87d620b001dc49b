import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMcpForTest, type McpForTest } from './support/mcp.js';
import { message, rpc } from './support/modern-host.js';

let mcp: McpForTest;
beforeEach(async () => {
  mcp = await startMcpForTest();
  mcp.login('ada');
});
afterEach(() => mcp[Symbol.asyncDispose]());

describe('admission', () => {
  test('an unauthenticated request gets 401 with the place to sign in', async () => {
    const { status, headers } = await rpc(mcp.url, null, 'tools/list');
    expect(status).toBe(401);
    const metadata = 'http://127.0.0.1:4003/.well-known/oauth-protected-resource/mcp';
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
  });

  test('an invalid token is reported as such', async () => {
    const { status, headers } = await rpc(mcp.url, 'stolen', 'tools/list');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('a token may follow several spaces (RFC 9110 §11.4)', async () => {
    const { method, body, headers } = message('ada', 'tools/list');
    const spaced = { ...(headers as Record<string, string>), authorization: 'Bearer   ada' };
    expect((await fetch(mcp.url, { method: method!, body: body!, headers: spaced })).status).toBe(200);
  });

  test('while admission is down the answer is 503 with Retry-After', async () => {
    mcp.state.admissionIsDown = true;
    const { status, headers, error } = await rpc(mcp.url, 'ada', 'tools/list');
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(error).toBeDefined();
  });

  describe('a known caller, in a workspace without integrations', () => {
    beforeEach(() => {
      mcp.state.integrationIsDisabled = true;
    });

    test.each(['get_workspace', 'approve_timesheet'])(
      '%s fails with a tool error that has the id of its message',
      async (name) => {
        const params = { name, arguments: {} };
        const response = await fetch(mcp.url, message('ada', 'tools/call', params, { id: 77 }));
        expect(response.status).toBe(200);
        const failure = { code: 'INTEGRATION_DISABLED', message: 'Integrations are not enabled.' };
        expect(await response.json()).toMatchObject({
          jsonrpc: '2.0',
          id: 77,
          result: { isError: true, content: [{ type: 'text', text: JSON.stringify(failure) }], resultType: 'complete' },
        });
      },
    );

    test('an older host’s call fails in the same way', async () => {
      const { headers } = message('ada', 'tools/call');
      const { authorization, accept } = headers as Record<string, string>;
      const body = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'get_workspace', arguments: {} } };
      const response = await fetch(mcp.url, {
        method: 'POST',
        headers: { authorization: authorization!, accept: accept!, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(await response.json()).toMatchObject({ id: 'a', result: { isError: true } });
    });

    test('every other message is refused with 403', async () => {
      const { status, error } = await rpc(mcp.url, 'ada', 'tools/list');
      expect([status, error?.data]).toEqual([403, { code: 'INTEGRATION_DISABLED' }]);
      const stream = await fetch(mcp.url, { headers: { authorization: 'Bearer ada', accept: 'text/event-stream' } });
      expect(stream.status).toBe(403);
      await stream.body?.cancel();
    });
  });

  test.each([
    [{ host: 'evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'https://assistant.example' }, 200],
    [{}, 200],
  ])('%j gets %i', async (headers, expected) => {
    // fetch cannot set the Host header, so use undici directly.
    const { request } = await import('undici');
    const { statusCode, body } = await request(mcp.url, {
      method: 'POST',
      headers: {
        authorization: 'Bearer ada',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
      }),
    });
    await body.dump();
    expect(statusCode).toBe(expected);
  });
});

test.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
  '%s advertises identity scopes only',
  async (path) => {
    const response = await fetch(`${mcp.origin}${path}`);
    expect(await response.json()).toEqual({
      resource: 'http://127.0.0.1:4003/mcp',
      authorization_servers: ['http://127.0.0.1:4002'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      bearer_methods_supported: ['header'],
      resource_name: 'Contracts and payroll',
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  },
);

describe('bodies', () => {
  const post = async (body: string, type = 'application/json'): Promise<number> => {
    const headers = {
      authorization: 'Bearer ada',
      'content-type': type,
      accept: 'application/json, text/event-stream',
    };
    const response = await fetch(mcp.url, { method: 'POST', headers, body });
    await response.body?.cancel();
    return response.status;
  };

  test.each([
    ['{', 400],
    ['', 400],
    ['[]', 400],
    ['"text"', 400],
    [`"${'x'.repeat(1_100_000)}"`, 413],
  ])('%#: refused with %i', async (body, status) => {
    expect(await post(body)).toBe(status);
  });

  test('of another type are refused', async () => {
    expect(await post('{}', 'text/plain')).toBe(415);
  });
});
