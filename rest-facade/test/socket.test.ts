import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Admitted } from '@payroll/admission';
import { newId } from '@payroll/kernel';
import { ErrorBody } from '@payroll/public-api';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFacade, type Facade } from './support/facade.js';
import { admitted } from './support/fakes.js';
import { business } from './support/samples.js';

let facade: Facade;
let port: number;
beforeAll(async () => {
  facade = await startFacade('facade_socket', { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
  facade.gateway.answers['business'] = () => business;
  await facade.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = facade.app.server.address() as AddressInfo);
});
afterAll(() => facade[Symbol.asyncDispose]());

async function exchange(request: string): Promise<{ status: string; body: unknown }> {
  const socket = connect(port, '127.0.0.1');
  socket.end(request);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [status = ''] = head.split('\r\n');
  return { status, body: JSON.parse(body) as unknown };
}

test.each([
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['headers that are too large', `GET /v1/business HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
])('%s is 400 with the one body', async (_what, request) => {
  const { status, body } = await exchange(request);
  expect(status).toBe('HTTP/1.1 400 Bad Request');
  expect(Compile(ErrorBody).Check(body)).toBe(true);
});

test('the address of a caller behind trusted proxies is the last one that they vouch for', async () => {
  await fetch(`http://127.0.0.1:${port}/v1/business`, {
    headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.7, 10.1.2.3' },
  });
  expect(facade.admission.asked.at(-1)!.clientAddress).toBe('198.51.100.7');
});

test('a body that is announced above 1 MiB is 413 before it is sent', async () => {
  const { status, body } = await exchange(
    `POST /v1/contracts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n` +
      `Idempotency-Key: ${newId()}\r\nContent-Length: 1048577\r\n\r\n{`,
  );
  expect(status).toContain('413');
  expect(body).toMatchObject({ error: { code: 'PAYLOAD_TOO_LARGE' } });
});

test('admission can tell who has left while their question waits, and answers the next', async () => {
  const { admission } = facade;
  const waiting = Promise.withResolvers<Admitted>();
  admission.answer = () => waiting.promise;
  const before = admission.asked.length;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/business HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n');
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
