import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { CONSOLE_PATHS } from '@payroll/infra/balancer/console-paths';
import { findPort, releasePort } from '../ports.js';
import { startDevProxy } from '../dev-proxy.js';

/** Answers with the request it received and its own name. */
const mirror =
  (name: string): RequestListener =>
  (request, response) => {
    const tell = (body: string): void => {
      const { method, url, rawHeaders } = request;
      response
        .setHeader('Set-Cookie', ['a=1', 'b=2'])
        .end(`${JSON.stringify({ name, method, url, rawHeaders, body })}\n`);
    };
    // An incomplete request gets no answer.
    text(request).then(tell, () => {});
  };

interface Mirrored {
  name: string;
  method: string;
  url: string;
  rawHeaders: string[];
  body: string;
}

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

/** A splitter in front of the given console, and workspaces. */
async function startSplit(answer: RequestListener = mirror('console')): Promise<{ port: number; url: string }> {
  const [consoles, pages, port] = [await listen(answer), await listen(mirror('workspaces')), await findPort(0, 'free')];
  const splitter = await startDevProxy(port, (path) => (CONSOLE_PATHS.test(path) ? consoles : pages));
  releasePort(port);
  onTestFinished(() => splitter[Symbol.asyncDispose]());
  return { port, url: `http://127.0.0.1:${port}` };
}

/** Everything received for raw bytes until the other side closes. */
async function talk(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let heard = '';
  socket.on('data', (part: string) => (heard += part)).on('error', () => {});
  socket.write(bytes, 'latin1');
  await new Promise((resolve) => socket.once('close', resolve));
  return heard;
}

const mirroredIn = (heard: string): Mirrored[] =>
  [...heard.matchAll(/^\{"name".*\}$/gm)].map(
    ([found]) => JSON.parse(Buffer.from(found, 'latin1').toString()) as Mirrored,
  );

const ROOM = '/workspaces/w/contracts';

test.each([
  ['console', [ROOM, `${ROOM}?x=/keys`, `${ROOM}/1/edit`, '/workspaces/w/', '/workspaces/w/review?page=2']],
  ['console', ['/workspaces/w', '/workspaces/w/keys', '/workspaces//contracts', '/workspaces/%']],
  ['workspaces', ['/', '/workspaces', '/workspaces/', '/workspaces?x=/w', '/sign-in?to=/review', '/oauth/token']],
  ['workspaces', ['/workspacesx/w', `/x${ROOM}`, `/?${ROOM}`]],
])('%s answers %j', async (name, paths) => {
  const { url } = await startSplit();
  for (const path of paths) {
    expect((await (await fetch(url + path)).json()) as Mirrored, path).toMatchObject({ name, url: path });
  }
});

test('headers arrive as sent, except hop-by-hop ones, and X-Forwarded-For is the connecting address', async () => {
  const { port } = await startSplit();
  const lines = [
    `GET http://other.example${ROOM} HTTP/1.1`,
    ...['Host: accounts.example:4002', 'cOOkie: a=1', 'Cookie: b=\xe9', 'X-Forwarded-For: 203.0.113.9'],
    ...['Connection: close, X-Hop, Host', 'X-Hop: 1', 'Upgrade: websocket', 'Forwarded-By: x'],
  ];
  const heard = await talk(port, `${lines.join('\r\n')}\r\n\r\n`);
  expect(mirroredIn(heard)[0]!.rawHeaders).toEqual([
    ...['Host', 'accounts.example:4002', 'cOOkie', 'a=1', 'Cookie', 'b=\xe9', 'Forwarded-By', 'x'],
    ...['X-Forwarded-For', '127.0.0.1', 'Connection', 'keep-alive'],
  ]);
  expect(mirroredIn(heard)[0]!.name).toBe('console');
  expect(heard.match(/^Set-Cookie: [ab]=[12]\r$/gm)).toHaveLength(2);
});

test.each([
  ['two lengths', 'Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd', []],
  ['a length and chunks', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', []],
  ['an encoding that hides chunks', 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n', []],
  ['an encoding beside chunks', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', []],
  ['a line that only some read as a header', 'X: y\r\n Content-Length: 3\r\nContent-Length : 3\r\n\r\nabc', []],
  ['chunks that end twice', 'Transfer-Encoding: chunked\r\n\r\n0\r\nGET', []],
  ['a length that is no longer one on the way', 'Connection: content-length\r\nContent-Length: 3\r\n\r\nabc', ['abc']],
])('a request cannot be smuggled in another by %s', async (_, rest, bodies) => {
  const { port } = await startSplit();
  const heard = await talk(
    port,
    `POST ${ROOM} HTTP/1.1\r\nHost: h\r\n${rest}GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
  );
  const seen = mirroredIn(heard).filter(({ url }) => url === ROOM);
  expect(seen.map(({ body }) => body)).toEqual(bodies);
  if (bodies.length === 0) expect(heard).toMatch(/^HTTP\/1\.1 400 /);
});

test.each(['GET', 'POST', 'DELETE'])(
  'the chunked body of a %s stays its body, and the next request is separate',
  async (method) => {
    const { port } = await startSplit();
    const inner = 'GET /workspaces/w/money HTTP/1.1\r\nHost: h\r\n\r\n';
    const chunked = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    const first = `${method} ${ROOM} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`;
    const heard = await talk(port, `${first}GET ${ROOM}/2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
    expect(mirroredIn(heard).map(({ url, body }) => [url, body])).toEqual([
      [ROOM, inner],
      [`${ROOM}/2`, ''],
    ]);
  },
);

test('a large body is streamed in both directions', async () => {
  const { url } = await startSplit((request, response) => void request.pipe(response));
  const body = Buffer.alloc(20_000_000, 'abcdefg');
  const answer = await fetch(url + ROOM, { method: 'POST', body });
  expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
});

test("an answer that is sent before the end of the request's body arrives", async () => {
  const { url } = await startSplit((_request, response) => void response.writeHead(413).end('too much'));
  for (let n = 0; n < 10; n++) {
    const answer = await fetch(url + ROOM, { method: 'POST', body: Buffer.alloc(5_000_000) });
    expect([answer.status, await answer.text()]).toEqual([413, 'too much']);
  }
});

test('an answer that breaks off never looks complete', async () => {
  const { url } = await startSplit((_request, response) => {
    response.write('half', () => response.destroy());
  });
  const answer = await fetch(url + ROOM);
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow('terminated');
});

test('no error is written into a started answer when its request turns out to be malformed', async () => {
  const { port } = await startSplit((_request, response) => void response.write('part'));
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let heard = '';
  socket.on('data', (part: string) => {
    heard += part;
    if (heard.includes('part')) socket.write('no length\r\n');
  });
  socket.on('error', () => {});
  socket.write(`POST ${ROOM} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
  await new Promise((resolve) => socket.once('close', resolve));
  expect(heard.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

test('a process that hangs up is 502, one that is down 503, and the others answer', async () => {
  const { url } = await startSplit((request) => void request.socket.destroy());
  const hungUp = await fetch(url + ROOM, { method: 'POST', body: 'x' });
  expect([hungUp.status, hungUp.headers.get('content-type')]).toEqual([502, 'text/plain; charset=utf-8']);
  const port = await findPort(0, 'free');
  await using alone = await startDevProxy(port, () => 1);
  expect(alone).toBeDefined();
  const gone = await fetch(`http://127.0.0.1:${port}${ROOM}`);
  expect([gone.status, gone.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await fetch(`${url}/account`)).status).toBe(200);
});

test('a process that does not answer in time is 502', async () => {
  const silent = await listen(() => {});
  const port = await findPort(0, 'free');
  await using alone = await startDevProxy(port, () => silent, 200);
  expect(alone).toBeDefined();
  const answer = await fetch(`http://127.0.0.1:${port}${ROOM}`);
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('did not answer')]);
});

test('a slow reader slows down the process that answers, and a disconnected one ends its work', async () => {
  const written = { bytes: 0 };
  const left = Promise.withResolvers<void>();
  const { port } = await startSplit((_request, response) => {
    const chunk = Buffer.alloc(65_536);
    const more = (): void => {
      written.bytes += chunk.length;
      response.write(chunk);
    };
    response.on('drain', more).once('close', left.resolve);
    more();
  });
  const socket: Socket = connect(port, '127.0.0.1').pause();
  socket.write(`GET ${ROOM} HTTP/1.1\r\nHost: h\r\n\r\n`);
  let before = -1;
  while (written.bytes === 0 || written.bytes !== before) {
    before = written.bytes;
    await sleep(200);
  }
  expect(written.bytes).toBeLessThan(50_000_000);
  socket.destroy();
  await left.promise;
});

test('closing finishes answers in progress and does not wait for idle connections', async () => {
  const port = await findPort(0, 'free');
  const slow = await listen((_request, response) => void setTimeout(() => response.end('done'), 300));
  const splitter = await startDevProxy(port, () => slow);
  // Its end may be a reset.
  const idle = connect(port, '127.0.0.1').on('error', () => {});
  const answer = fetch(`http://127.0.0.1:${port}/`);
  await sleep(100);
  await splitter[Symbol.asyncDispose]();
  expect(await (await answer).text()).toBe('done');
  idle.destroy();
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
});
