import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { withMcpTokens } from '@payroll/tools/demo/operator';
import { processes } from '@payroll/infra/processes';
import { joinSystem, told } from '../support.js';

// Checks that held connections do not block any port of the system, with the limits of production.

/**
 * A request has ten seconds to arrive. The rest is for a busy machine: if a listener's queue overflows, the client
 * retries the connection after 1, 3, 7, 15 and 31 seconds.
 */
const WITHIN_MS = 120_000;
const EVERY_MS = 1_000;

/** Catches mail under `npm start`; it is in no deployment. */
const OF_ONE_MACHINE: ReadonlySet<string> = new Set(['smtp', 'mail']);

interface Listener {
  port: number;
  post: string;
  /** A request that it answers at once. */
  get: string;
  /** The status for a request that does not arrive in time. */
  tooSlow: number;
  tooLarge: number;
}

const system = await joinSystem();
const { ports, file } = system.stack;
const { workspaces } = await withMcpTokens(system.stack, { workspaces: file.workspaces! });
const { apiKeys, mcpTokens } = workspaces[0]!;
const asked = { post: post('/graphql'), get: '/livez', tooSlow: 408, tooLarge: 431 };
const edges: Record<string, Partial<Listener>> = {
  // The contract of `/v1` has its own values for these statuses.
  'rest-facade': { post: post('/v1/contracts', apiKeys.admin), tooSlow: 503, tooLarge: 400 },
  admission: { post: post('/admission', system.stack.environmentOf('rest-facade')['ADMISSION_SECRET']) },
  console: { post: post('/workspaces/any/members/invite') },
  auth: { post: post('/sign-in'), get: '/sign-in' },
  pages: { post: post('/sign-in'), get: '/sign-in' },
  mcp: { post: post('/mcp', mcpTokens!.admin) },
  callbacks: { post: post('/payouts/callbacks') },
  'sandbox-provider': { post: post('/payouts', file.provider.key) },
};
const listeners = new Map([
  ...Object.entries(ports)
    .filter(([name]) => !OF_ONE_MACHINE.has(name))
    .map(([name, port]) => [name, { ...asked, ...edges[name], port }] as const),
  ...Object.entries(await told.metricsPorts).map(
    ([name, port]) => [`the metrics of ${name}`, { ...asked, port, get: '/metrics' }] as const,
  ),
]);

/** A request whose body is read, with the headers that the listener checks first. */
function post(path: string, credential = 'none'): string {
  const isForm = path === '/sign-in' || path.startsWith('/workspaces/');
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const key = crypto.randomUUID();
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nAuthorization: Bearer ${credential}\r\nIdempotency-Key: ${key}\r\n`;
}

it('every listener of every process is covered by this file', () => {
  const own = [...processes.map(({ name }) => name), 'auth', 'pages', 'admission', 'callbacks'];
  const metrics = processes.map(({ name }) => `the metrics of ${name}`);
  expect(new Set(listeners.keys())).toEqual(new Set([...own, ...metrics]));
});

/** The statuses that arrive until the other side ends the connection, while `more` is sent every second. */
async function talk(port: number, first: string, more = ''): Promise<number[]> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let heard = '';
  socket.on('data', (part) => (heard += String(part)));
  socket.write(first);
  const dripping = setInterval(() => socket.writable && socket.write(more), EVERY_MS);
  await ended(socket);
  clearInterval(dripping);
  return [...heard.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** Resolves on any end: a client that still sends gets a reset. */
async function ended(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()));
}

/** Runs the check on every listener. @returns the results by listener name */
async function everywhere<T>(look: (listener: Listener) => Promise<T>): Promise<Record<string, T>> {
  const found = [...listeners].map(async ([name, listener]) => [name, await look(listener)] as const);
  return Object.fromEntries(await Promise.all(found));
}

function expected<T>(of: (listener: Listener, name: string) => T): Record<string, T> {
  return Object.fromEntries([...listeners].map(([name, listener]) => [name, of(listener, name)]));
}

describe.concurrent('every port of the system', { timeout: WITHIN_MS }, () => {
  it('cuts off a body that arrives byte by byte', async () => {
    const slow = await everywhere(async ({ port, post }) => {
      const [first] = await talk(port, `${post}Content-Length: 50000\r\n\r\n`, ' ');
      return first;
    });
    // Metrics reads no body: it answers without waiting for the rest of the request.
    expect(slow).toEqual(expected(({ tooSlow }, name) => (name.startsWith('the metrics') ? 404 : tooSlow)));
  });

  it('cuts off headers that arrive byte by byte', async () => {
    const slow = await everywhere(({ port, post }) => talk(port, `${post}X-Long: `, 'x'));
    expect(slow).toEqual(expected(({ tooSlow }) => [tooSlow]));
  });

  it('refuses headers that are too large', async () => {
    const large = await everywhere(({ port, post }) => talk(port, `${post}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`));
    expect(large).toEqual(expected(({ tooLarge }) => [tooLarge]));
  });

  it('answers while hundreds of idle connections are open, and closes them', async () => {
    const answers = await everywhere(async ({ port, get }) => {
      // For all listeners together, stays below the number of files that a process may open.
      const idle = Array.from({ length: 800 }, () => connect(port, '127.0.0.1').resume());
      const allEnded = Promise.all(idle.map(ended));
      const answer = await talk(port, `GET ${get} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
      await allEnded;
      return answer;
    });
    expect(answers).toEqual(expected(() => [200]));
  });
});
