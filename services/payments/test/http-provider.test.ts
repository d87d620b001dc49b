import { createHttpServer } from '@payroll/runtime';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpProvider } from '../src/payouts/http-provider.js';
import type { ValidOrder } from '../src/payouts/provider.js';
import { TestSandbox } from './support/sandbox.js';

const order: ValidOrder = {
  ...{ idempotencyKey: 'milestone:1/2 ü:1', attempt: 1, payoutMethod: 'wise', destination: 'sandbox:iban' },
  recipient: { workspaceId: 'w', workerId: 'x' },
  ...{ amount: { amount: '10.00', currency: 'EUR' }, validUntil: '2999-01-01T00:00:00.000000Z' },
};
const known = {
  ...{ idempotencyKey: order.idempotencyKey, reference: 'r', status: 'settled' },
  ...{ amount: '10.00', currency: 'EUR', method: 'wise', destination: 'sandbox:iban', recipient: 'w/x' },
};
const notFound = { code: 'PAYOUT_NOT_FOUND', idempotencyKey: order.idempotencyKey };

describe("an invalid answer leaves the order's state unknown, whatever its status", () => {
  let answer: (reply: FastifyReply) => unknown;
  let server: FastifyInstance;
  let provider: HttpProvider;
  beforeEach(async () => {
    server = createHttpServer({});
    server.all('*', (_request, reply) => answer(reply));
    provider = new HttpProvider(`${await server.listen({ port: 0, host: '127.0.0.1' })}/v2/`, 'key');
  });
  afterEach(async () => {
    await provider[Symbol.asyncDispose]();
    await server.close();
  });

  const signal = (): AbortSignal => AbortSignal.timeout(10_000);

  it.each<[string, (reply: FastifyReply) => unknown]>([
    ['a 404 of a proxy', (reply) => reply.code(404).send('<h1>not found</h1>')],
    ['a 404 about another order', (reply) => reply.code(404).send({ ...notFound, idempotencyKey: 'another' })],
    ['a refusal', (reply) => reply.code(422).send({ code: 'AMOUNT_TOO_SMALL' })],
    ['a refused key', (reply) => reply.code(401).send({ code: 'INVALID_CREDENTIAL' })],
    ['an outage', (reply) => reply.code(503).send()],
    ['a redirect', (reply) => reply.redirect('/elsewhere')],
    ['another order', () => ({ ...known, idempotencyKey: 'another' })],
    ['an unknown status', () => ({ ...known, status: 'returned' })],
    ['an amount that is a number', () => ({ ...known, amount: 10 })],
    ['a truncated answer', (reply) => reply.type('application/json').send('{"idempotencyKey":')],
    ['an endless answer', (reply) => reply.send('x'.repeat(100_000))],
    ['a status with the body of another', (reply) => reply.code(202).send(known)],
  ])('%s', async (_, given) => {
    answer = given;
    await expect(provider.lookUp(order, signal())).rejects.toThrow();
    await expect(provider.submit(order, signal())).rejects.toThrow();
    await expect(provider.cancel(order, signal())).rejects.toThrow();
  });

  it('"not found" is not a valid answer to a submission', async () => {
    answer = (reply) => reply.code(404).send(notFound);
    expect(await provider.lookUp(order, signal())).toBeNull();
    await expect(provider.submit(order, signal())).rejects.toThrow('returned 404');
  });

  it('waits no longer than the signal allows', async () => {
    answer = () => new Promise(() => {});
    server.server.closeAllConnections();
    await expect(provider.submit(order, AbortSignal.timeout(50))).rejects.toThrow(/abort|timeout/i);
    server.server.closeAllConnections();
  });

  it("sends an order with its key and ours, under the provider's path", async () => {
    server.server.once('request', (request) => {
      seen = { method: request.method, url: request.url, ...request.headers };
    });
    let seen = {};
    answer = () => known;
    expect(await provider.submit(order, signal())).toEqual({
      ...{ status: 'settled', reference: 'r', payoutMethod: 'wise', destination: 'sandbox:iban', amount: order.amount },
    });
    expect(seen).toMatchObject({ method: 'POST', url: '/v2/payouts', authorization: 'Bearer key' });
    expect(seen).toMatchObject({ 'idempotency-key': expect.any(String) as string });
  });
});

it('the sandbox provider returns the order as sent, and a repeated order pays nothing again', async () => {
  await using sandbox = await TestSandbox.open();
  const held = { ...order, idempotencyKey: 'milestone:1:1', destination: 'sandbox:stays-under-way' };
  expect(await sandbox.lookUp(held)).toBeNull();
  const first = await sandbox.submit(held);
  expect(first).toMatchObject({ status: 'submitted', amount: held.amount, destination: held.destination });
  expect(await sandbox.submit({ ...held, destination: 'sandbox:iban' })).toEqual(first);
  expect(await sandbox.lookUp(held)).toEqual(first);
  expect(sandbox.booksOn('milestone:1:1')).toMatchObject([{ submissions: 2, state: 'held' }]);
});
