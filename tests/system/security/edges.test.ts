import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ProcessName } from '@payroll/infra/processes';
import { joinSystem, told } from '../support.js';

// Properties that all edges share (ADR 10), checked on the running processes.

interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

interface Edge {
  /** The process that serves the edge, whose log and metrics are checked. */
  process: ProcessName;
  /** Whether a body has the form in which this edge writes failures. */
  isOwnForm: (answer: Answer) => boolean;
  /** The statuses that differ between edges, for a reason. */
  statuses: { strangeHost: number; unreadablePath: number; largeHeaders: number };
}

const edges: Readonly<Record<string, Edge>> = {
  'rest-facade': {
    process: 'rest-facade',
    isOwnForm: ({ body, headers }) =>
      /^\{"error":\{"type":"\w+","code":"[A-Z_]+","message":".+","status":\d{3},"requestId":"(.+)"\}\}$/.exec(
        body,
      )?.[1] === headers.get('x-request-id'),
    // Admission runs first; the contract of `/v1` has no 431.
    statuses: { strangeHost: 400, unreadablePath: 401, largeHeaders: 400 },
  },
  gateway: {
    process: 'gateway',
    isOwnForm: ({ body }) => /^\{"errors":\[\{"message":".+","extensions":\{"code":"[A-Z_]+"\}\}\]\}$/.test(body),
    statuses: { strangeHost: 400, unreadablePath: 400, largeHeaders: 431 },
  },
  mcp: {
    process: 'mcp',
    isOwnForm: ({ body }) =>
      /^\{"jsonrpc":"2\.0","error":\{"code":-32\d+,"message":".+","data":\{"code":"[A-Z_]+"\}\},"id":null\}$/.test(
        body,
      ),
    statuses: { strangeHost: 403, unreadablePath: 400, largeHeaders: 431 },
  },
  pages: {
    process: 'workspaces',
    isOwnForm: ({ headers }) => /^text\/(html|plain); charset=utf-8$/.test(headers.get('content-type')!),
    statuses: { strangeHost: 403, unreadablePath: 400, largeHeaders: 431 },
  },
  console: {
    process: 'console',
    isOwnForm: ({ headers }) => /^text\/(html|plain); charset=utf-8$/.test(headers.get('content-type')!),
    statuses: { strangeHost: 403, unreadablePath: 400, largeHeaders: 431 },
  },
  callbacks: {
    process: 'payments',
    isOwnForm: ({ body }) => /^\{"code":"[A-Z_]+","message":".+"\}$/.test(body),
    statuses: { strangeHost: 400, unreadablePath: 400, largeHeaders: 431 },
  },
};

const system = await joinSystem();

const portOf = (name: string): number => (system.stack.ports as Readonly<Record<string, number>>)[name]!;

/** The answer to bytes that no HTTP client would send. */
async function exchange(name: string, request: string): Promise<Answer> {
  const socket = connect(portOf(name), '127.0.0.1');
  socket.write(request);
  const [head = '', ...body] = (await text(socket)).split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  const pairs = headers.map((each) => each.split(/: (.*)/).slice(0, 2) as [string, string]);
  return { status: Number(line.split(' ')[1]), headers: new Headers(pairs), body: body.join('\r\n\r\n') };
}

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');

function expectHeaders({ headers }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
}

const refused: [what: string, request: string, status: (statuses: Edge['statuses']) => number][] = [
  ['a path that is not there', get('/not-there'), () => 404],
  ['a path that cannot be decoded', get('/%ZZ'), ({ unreadablePath }) => unreadablePath],
  ['the name of another server', get('/').replace('localhost', 'evil.example'), ({ strangeHost }) => strangeHost],
  ['no name of a server', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', () => 400],
  ['headers that are too large', get('/', `X: ${'x'.repeat(20_000)}`), ({ largeHeaders }) => largeHeaders],
  ['no HTTP', 'nonsense\r\n\r\n', () => 400],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', () => 400],
];

describe.each(Object.entries(edges))('%s', (name, { process, isOwnForm, statuses }) => {
  it.each(refused)(
    'refuses %s in its own error format, with a request id, no-store and nosniff',
    async (_what, request, status) => {
      const answer = await exchange(name, request);
      expect(answer.status).toBe(status(statuses));
      expect(isOwnForm(answer)).toBe(true);
      expectHeaders(answer);
    },
  );

  it.each(['/livez', '/readyz'])('answers %s under any host name', async (path) => {
    for (const host of ['localhost', '127.0.0.1', 'a-name-of-the-balancer']) {
      const answer = await exchange(name, get(path).replace('localhost', host));
      expect([answer.status, answer.body]).toEqual([200, '{"status":"ok"}']);
      expectHeaders(answer);
    }
  });

  it('ignores an unknown Expect header', async () => {
    expect((await exchange(name, get('/livez', 'Expect: wonders'))).status).toBe(200);
  });

  it("does not use the caller's request id", async () => {
    const answer = await exchange(name, get('/not-there', 'X-Request-Id: mine', 'Request-Id: mine'));
    expect(answer.headers.get('x-request-id')).not.toBe('mine');
  });

  it("does not allow requests from another site's pages", async () => {
    const preflight = get('/', 'Origin: https://evil.example', 'Access-Control-Request-Method: POST');
    const answer = await exchange(name, preflight.replace('GET', 'OPTIONS'));
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('logs one line for a request, with its route, and counts it', async () => {
    const answer = await exchange(name, get('/not-there?secret=wildly-private'));
    const requestId = answer.headers.get('x-request-id')!;
    const lines = (): Record<string, unknown>[] =>
      readFileSync(join(system.stack.dir, 'logs', `${process}.log`), 'utf8')
        .split('\n')
        .filter((line) => line.includes(requestId))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    await expect.poll(lines).toHaveLength(1);
    expect(lines()).toMatchObject([{ msg: 'answered', requestId, method: 'GET', route: null, status: 404 }]);
    expect(JSON.stringify(lines())).not.toContain('private');
    const port = (await told.metricsPorts)[process];
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toMatch(/^payroll_request_duration_seconds_count\{operation="unknown",outcome="refused"\} \d+$/m);
  });
});
