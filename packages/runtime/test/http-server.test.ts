import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpServer, createPlainServer, type HttpLimits } from '@payroll/runtime';
import { afterEach, expect, it } from 'vitest';

const opened = new Set<Server>();
afterEach(() => {
  for (const server of opened) server.close().closeAllConnections();
  opened.clear();
});

const LIMITS = { requestMs: 300, silentMs: 1_000 };

/** Both kinds of server; each answers with the size of the body, and `/events` with a beat for a second and a half. */
const servers: Readonly<Record<string, (limits: Partial<HttpLimits>) => Promise<number>>> = {
  'with routes': async (limits) => {
    const app = createHttpServer({ limits });
    app.post('/', ({ body }) => String((body as string).length));
    app.get('/events', async (_request, reply) => {
      reply.hijack();
      await beat((part) => reply.raw.write(part));
      reply.raw.end();
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    return portOf(app.server);
  },
  plain: async (limits) => {
    const server = createPlainServer((request, response) => {
      const answer = async (): Promise<void> => {
        let size = 0;
        for await (const part of request as AsyncIterable<Buffer>) size += part.length;
        if (request.url === '/events') await beat((part) => response.write(part));
        response.end(String(size));
      };
      answer().catch(() => response.destroy());
    }, limits);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return portOf(server);
  },
};
const kinds = Object.keys(servers);

function portOf(server: Server): number {
  opened.add(server);
  return (server.address() as AddressInfo).port;
}

async function beat(write: (part: string) => void): Promise<void> {
  for (let n = 0; n < 15; n += 1) {
    write('beat\n');
    await sleep(100);
  }
}

/** Resolves on any end: a client that still sends gets a reset. */
async function ended(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()));
}

/** The text received until the other side ends the connection, while `more` is sent every 50 ms. */
async function talk(port: number, first: string, more = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let heard = '';
  socket.on('data', (part) => (heard += String(part)));
  if (first !== '') socket.write(first);
  const dripping = more !== '' && setInterval(() => socket.writable && socket.write(more), 50);
  await ended(socket);
  if (dripping) clearInterval(dripping);
  return heard;
}

const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n';

it.each(kinds)('a server %s cuts off a request that takes too long, however steadily it arrives', async (kind) => {
  const port = await servers[kind]!(LIMITS);
  const answers = await Promise.all([
    talk(port, `${POST}Content-Length: 1000\r\n\r\n`, 'x'),
    talk(port, `${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
    talk(port, `${POST}X: `, 'x'),
    talk(port, ''),
  ]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 408 /);
});

it.each(kinds)('a server %s finishes long answers, and reads requests that arrive in time', async (kind) => {
  // Shorter than the answer takes, much longer than the request.
  const port = await servers[kind]!({ ...LIMITS, requestMs: 1_000 });
  const [events, posted] = await Promise.all([
    talk(port, 'GET /events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    talk(port, `${POST}Connection: close\r\nContent-Length: 4\r\n\r\n`, 'x'),
  ]);
  expect(events.match(/beat/g)).toHaveLength(15);
  expect(posted).toMatch(/^HTTP\/1.1 200 [^]*4(?:\r\n0\r\n\r\n)?$/);
});

it.each(kinds)('a server %s refuses headers that are too large, and keeps all of many small ones', async (kind) => {
  const port = await servers[kind]!(LIMITS);
  expect(await talk(port, `${POST}X: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
  // If the length were lost, the body would be empty.
  const many = `${'a:b\r\n'.repeat(2_500)}Connection: close\r\nContent-Length: 4\r\n\r\n`;
  expect(await talk(port, `${POST}${many}body`)).toMatch(/^HTTP\/1.1 200 [^]*4(?:\r\n0\r\n\r\n)?$/);
});

it.each(kinds)('a thousand idle connections do not block a server %s, and are closed', async (kind) => {
  const port = await servers[kind]!({ ...LIMITS, requestMs: 2_000 });
  const idle = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1').resume());
  const allEnded = Promise.all(idle.map(ended));
  expect(await talk(port, `${POST}Connection: close\r\nContent-Length: 4\r\n\r\nbody`)).toMatch(/^HTTP\/1.1 200 /);
  await allEnded;
});

it.each(kinds)('a server %s accepts no more connections than its limit', async (kind) => {
  const port = await servers[kind]!({ ...LIMITS, connections: 2 });
  const open = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all(open.map((socket) => once(socket, 'connect')));
  expect(await talk(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
  for (const socket of open) socket.destroy();
});

it('an answer that the client does not read is cut off', async () => {
  const app = createHttpServer({ limits: { ...LIMITS, silentMs: 200 } });
  const isCut = Promise.withResolvers<void>();
  app.get('/', (_request, reply) => {
    reply.raw.once('close', () => isCut.resolve());
    return Buffer.alloc(50_000_000);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(portOf(app.server), '127.0.0.1').on('error', () => {});
  socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await isCut.promise;
  socket.destroy();
});
