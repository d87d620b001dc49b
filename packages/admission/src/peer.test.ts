import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { AdmissionPeer } from './peer.js';

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };

/** A peer of a server that uses the listeners in turn, and the last one for all later requests. */
async function asking(...listeners: [RequestListener, ...RequestListener[]]) {
  let asked = 0;
  const server = createServer((request, response) =>
    listeners[Math.min(asked++, listeners.length - 1)]!(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const peer = new AdmissionPeer({ url: `http://127.0.0.1:${port}`, secret: 'of this edge' });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await peer[Symbol.asyncDispose]().catch(() => undefined);
  });
  return { peer, count: () => asked };
}

const ends: RequestListener = ({ socket }) => void socket.destroy();
const answers: RequestListener = (_request, response) => response.end('["admitted"]\n');

it('sends the questions with the secret of the edge', async () => {
  const { peer } = await asking((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { method, url, headers } = request;
      response.end(`${JSON.stringify([method, url, headers.authorization, JSON.parse(body)])}\n`);
    });
  });
  expect(await peer.request([1, 2], 3_000)).toEqual(['POST', '/admission', 'Bearer of this edge', [1, 2]]);
});

it('retries once if the connection ends without an answer', async () => {
  const { peer, count } = await asking(ends, answers);
  expect(await peer.request([1], 3_000)).toEqual(['admitted']);
  expect(count()).toBe(2);
});

it('does not retry a second time', async () => {
  const { peer, count } = await asking(ends);
  await expect(peer.request([1], 3_000)).rejects.toMatchObject(UNAVAILABLE);
  expect(count()).toBe(2);
});

it('times out if there is no answer, without a retry', async () => {
  const { peer, count } = await asking(() => undefined);
  await expect(peer.request([1], 100)).rejects.toMatchObject(UNAVAILABLE);
  expect(count()).toBe(1);
});

it.each([
  ['a secret that is refused', 401, ''],
  ['the page of a balancer without a process', 503, '<html>'],
  ['no list', 200, 'neither\n'],
  ['a line without its end', 200, '["admit'],
])('%s is an outage, not an answer', async (_what, status, body) => {
  const { peer } = await asking((_request, response) => response.writeHead(status).end(body));
  await expect(peer.request([1], 3_000)).rejects.toMatchObject(UNAVAILABLE);
});

it('a refused connection is an outage', async () => {
  const { peer } = await asking(answers);
  const gone = new AdmissionPeer({ url: 'http://127.0.0.1:1', secret: 's' });
  onTestFinished(() => gone[Symbol.asyncDispose]());
  await expect(gone.request([1], 3_000)).rejects.toMatchObject(UNAVAILABLE);
  expect(await peer.request([1], 3_000)).toEqual(['admitted']);
});

it(
  'asks again once another process answers, though all its connections wait for one that hangs',
  { timeout: 20_000 },
  async () => {
    let hangs = true;
    const { peer } = await asking((_request, response) => void (hangs || response.end('["admitted"]\n')));
    await Promise.allSettled(Array.from({ length: 16 }, () => peer.request([1], 100)));
    hangs = false;
    await expect.poll(() => peer.request([1], 2_900).catch(() => null), { timeout: 8_000 }).toEqual(['admitted']);
  },
);
