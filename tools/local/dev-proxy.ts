import { once } from 'node:events';
import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { createPlainServer, HTTP_LIMITS } from '@payroll/runtime';

const HOST = '127.0.0.1';

/** Less than the server's `silentMs`, after which the connection would close without an answer. */
const ANSWER_WITHIN_MS = 20_000;

/** Time for responses that are in progress when it is closed. */
const FINISH_WITHIN_MS = 1_000;

/** Each request uses its own connection, so that none meets one that its process is closing. */
const agent = Object.assign(new Agent({ keepAlive: true }), { maxFreeSockets: 0 });

/** Hop-by-hop headers (RFC 9110 §7.6.1). The caller's address is set here; the caller's own claim is ignored. */
const NOT_PASSED_ON = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  'x-forwarded-for',
]);

/** Development reverse proxy: one port in front of several processes; `portOf` maps a path to a port. */
export async function startDevProxy(
  port: number,
  portOf: (path: string) => number,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<AsyncDisposable> {
  const server = createPlainServer(
    (request, response) => passOn(request, response, { port: portOf(pathOf(request)), timeout: answerWithinMs }),
    // Times out before the process behind it does, so that the answer comes from here.
    { requestMs: HTTP_LIMITS.requestMs - 1_000 },
  );
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.listen(port, HOST);
  await once(server, 'listening');
  // Do not keep the starting program alive.
  server.unref();
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      const cut = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** Without the query; a client may send an absolute URL. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0]!;
}

function passOn(request: IncomingMessage, response: ServerResponse, to: { port: number; timeout: number }): void {
  const { method, url: path } = request;
  const headers = headersFor(request);
  if (headers === null) return refuse(response, 400, 'The body is encoded in a way that is not taken here.');
  const onward = ask({ host: HOST, method, path, headers, agent, ...to });
  let isAnswered = false;
  onward.once('response', (answer) => {
    isAnswered = true;
    response.writeHead(answer.statusCode!, answer.statusMessage, passedOn(answer));
    // Abort the client's response too, so that half a response never looks complete.
    pipeline(answer, response, () => {});
  });
  onward.once('timeout', () => isAnswered || onward.destroy(new Error('no answer in time')));
  onward.on('error', (error: NodeJS.ErrnoException) => {
    request.unpipe(onward).resume();
    if (isAnswered) return;
    if (error.code === 'ECONNREFUSED') refuse(response, 503, 'This part is not running at the moment: try again soon.');
    else refuse(response, 502, 'This part did not answer: look whether what you sent was done, then try again.');
  });
  response.once('close', () => response.writableFinished || onward.destroy());
  request.pipe(onward);
}

/** Null for a body whose end two servers could interpret differently. */
function headersFor(request: IncomingMessage): string[] | null {
  const { headers, socket, method = '' } = request;
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') return null;
  const isWithoutLength = encoding === undefined && headers['content-length'] === undefined;
  return [
    ...passedOn(request),
    ...['X-Forwarded-For', socket.remoteAddress ?? HOST],
    // Set explicitly: otherwise Node decides by the method how a body ends, and a GET's body would run into the next
    // request.
    ...(encoding === undefined ? [] : ['Transfer-Encoding', 'chunked']),
    ...(isWithoutLength && !/^(?:GET|HEAD)$/.test(method) ? ['Content-Length', '0'] : []),
  ];
}

/** In their order and spelling, each as often as it was sent. */
function passedOn({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = new Set(headers.connection?.toLowerCase().split(/\s*,\s*/));
  // If two servers disagreed about these, they would disagree about where a request ends or for which host it is.
  for (const name of ['host', 'content-length']) named.delete(name);
  return rawHeaders.flatMap((name, n) => {
    const lower = name.toLowerCase();
    return n % 2 === 1 || NOT_PASSED_ON.has(lower) || named.has(lower) ? [] : [name, rawHeaders[n + 1]!];
  });
}

function refuse(response: ServerResponse, status: 400 | 502 | 503, sentence: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 503 && { 'Retry-After': '1' }),
  });
  response.end(`${sentence}\n`);
}
