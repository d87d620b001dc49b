import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AdmissionGranted } from '@payroll/admission';
import { newId } from '@payroll/kernel';
import { ErrorBody } from '@payroll/public-api';
import { Compile } from 'typebox/compile';
import { afterAll, expect, test } from 'vitest';
import { startFacade } from './support/facade.js';
import { admitted } from './support/fakes.js';
import { business } from './support/samples.js';

const facade = await startFacade('facade_socket', { trustedProxies: ['127.0.0.1', '10.0.0.0/8'], deadlineMs: 1000 });
facade.gateway.answers['business'] = () => business;
await facade.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = facade.app.server.address() as AddressInfo;
afterAll(() => facade[Symbol.asyncDispose]());

interface Answer {
  status: number;
  headers: string;
  body: unknown;
}

/** The answer to bytes that no HTTP client would send. The connection stays open on this side. */
async function exchange(request: string): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  const [headers = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(headers)?.[1]), headers, body: JSON.parse(body) as unknown };
}

function expectOneBody({ status, headers, body }: Answer): void {
  expect(Compile(ErrorBody).Errors(body)).toEqual([]);
  const { error } = body as ErrorBody;
  expect(error.status).toBe(status);
  expect(headers.toLowerCase()).toContain(`x-request-id: ${error.requestId}`);
  expect(headers.toLowerCase()).toContain('content-type: application/json; charset=utf-8');
}

const line = (method: string, path: string, ...more: string[]): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer good',
    'Connection: close',
    ...more,
    '',
    '',
  ].join('\r\n');
const write = (...more: string[]): string =>
  line('POST', '/v1/contracts', 'Content-Type: application/json', `Idempotency-Key: ${newId()}`, ...more);

test.each([
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['a TLS handshake', '\x16\x03\x01\x00\x05\x01\x00'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['another version', 'GET /v1/business HTTP/9.9\r\n\r\n'],
  ['no Host', 'GET /v1/business HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['the Host of another', line('GET', '/v1/business').replace('localhost', 'evil.example')],
  ['an unknown method', line('FETCH', '/v1/business')],
  ['CONNECT', line('CONNECT', 'example.com:443')],
  ['a space in the path', line('GET', '/v1/bus iness')],
  ['a header name with a space', line('GET', '/v1/business', 'X Y: 1')],
  ['U+0000 in a header', line('GET', '/v1/business', 'X: a\0b')],
  ['headers that are too large', line('GET', '/v1/business', `X: ${'x'.repeat(20_000)}`)],
  ['too many headers', line('GET', '/v1/business', ...Array.from({ length: 3000 }, (_, index) => `X${index}: 1`))],
  ['a query that is too long', line('GET', `/v1/contracts?externalReference=${'x'.repeat(20_000)}`)],
  ['two lengths', write('Content-Length: 5', 'Content-Length: 6')],
  ['a length and chunks', write('Content-Length: 5', 'Transfer-Encoding: chunked')],
  ['a length that is no number', write('Content-Length: five')],
  ['a broken chunk', `${write('Transfer-Encoding: chunked')}2\r\n{}\r\nzz\r\n`],
])('%s is 400 with the one body', async (_what, request) => {
  const answer = await exchange(request);
  expect(answer.status).toBe(400);
  expectOneBody(answer);
});

test.each(['TRACE', 'PROPFIND', 'PURGE', 'DELETE', 'PUT'])('%s is 404 with the one body', async (method) => {
  const answer = await exchange(line(method, '/v1/business'));
  expect(answer.status).toBe(404);
  expectOneBody(answer);
});

test.each([
  ['headers', 'POST /v1/contracts HTTP/1.1\r\nHost: localhost\r\n'],
  ['a body', `${write('Content-Length: 50')}{"title"`],
  ['chunks', `${write('Transfer-Encoding: chunked')}5\r\n{"tit`],
])('%s that are sent incompletely are 503 after the deadline, and the connection ends', async (_what, request) => {
  const answer = await exchange(request);
  expect(answer.status).toBe(503);
  expect(answer.headers).toContain('Retry-After: 1');
  expectOneBody(answer);
});

test('an unknown Expect header is ignored', async () => {
  expect((await exchange(line('GET', '/v1/business', 'Expect: wonders'))).status).toBe(200);
});

test('the address of a caller behind trusted proxies is the last one that they report', async () => {
  await fetch(`http://127.0.0.1:${port}/v1/business`, {
    headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.7, 10.1.2.3' },
  });
  expect(facade.admission.asked.at(-1)!.clientAddress).toBe('198.51.100.7');
});

test.each([
  ['announced', `${write('Content-Length: 1048577')}{`],
  ['sent in chunks', `${write('Transfer-Encoding: chunked')}${`10000\r\n${'x'.repeat(0x10000)}\r\n`.repeat(17)}`],
])('a body above 1 MiB that is %s is 413 before all of it has arrived', async (_how, request) => {
  const answer = await exchange(request);
  expect(answer.status).toBe(413);
  expectOneBody(answer);
});

test('admission can detect callers who disconnected while their question waits, and answers the next', async () => {
  const { admission } = facade;
  const waiting = Promise.withResolvers<AdmissionGranted>();
  admission.answer = () => waiting.promise;
  const before = admission.asked.length;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/business HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n\r\n');
  await expect.poll(() => admission.asked.length).toBe(before + 1);
  expect(admission.isGone()).toBe(false);
  socket.destroy();
  await expect.poll(() => admission.isGone()).toBe(true);
  waiting.resolve(admitted());
  admission.answer = () => admitted();
  expect(
    (await fetch(`http://127.0.0.1:${port}/v1/business`, { headers: { authorization: 'Bearer good' } })).status,
  ).toBe(200);
});
