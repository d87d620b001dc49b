import { hash, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, isCalendarDate, isInstant, notFound } from '@payroll/kernel';
import { createEdge, plainRefusal, routeOf, type EdgeDependencies } from '@payroll/runtime';
import { isCancellation, isOrder, writeStatement } from '@payroll/provider-protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { happens, readFaults, scriptOf, type Faults } from './faults.js';
import { toPayout, type Orders } from './orders.js';

interface Provider extends EdgeDependencies {
  orders: Orders;
  /** The secret that the payer must present. */
  key: string;
  /** As the control calls have set them. */
  faults: Faults;
}

/** Longer than any client's timeout. */
const HANGS_MS = 30_000;
const DAY_MS = 86_400_000;
/** Orders on a page. */
const PAGE = 100;

/** The provider's HTTP server, not yet listening (packages/provider-protocol). */
export function createProvider(provider: Provider): FastifyInstance {
  const app = createEdge({
    ...provider,
    bodyLimitBytes: 65_536,
    traceNameOf: routeOf,
    refusal: plainRefusal,
  });
  app.addHook('onRequest', (request, _reply, done) => {
    requireKey(provider.key, request);
    done();
  });
  void app.register((calls, _options, done) => {
    calls.addHook('onRequest', (request, reply) => misbehaveBefore(provider.faults, request, reply));
    payoutRoutes(calls, provider);
    listRoutes(calls, provider);
    done();
  });
  controlRoutes(app, provider);
  return app;
}

function payoutRoutes(app: FastifyInstance, provider: Provider): void {
  const { orders } = provider;
  app.post('/payouts', (request, reply) => takeOrder(provider, request, reply));
  app.post<{ Params: { key: string } }>('/payouts/:key/cancel', async (request, reply) => {
    if (!isCancellation(request.body)) {
      throw new DomainError(
        'INVALID_REQUEST',
        'A cancellation has an amount, a currency, a method, a destination and a recipient.',
      );
    }
    const known = orders.cancel(request.params.key, request.body);
    return await misbehaveAfter(provider.faults, request, reply, toPayout(known));
  });
  app.get<{ Params: { key: string } }>('/payouts/:key', async (request, reply) => {
    const { key: idempotencyKey } = request.params;
    const known = orders.lookUp(idempotencyKey);
    const isKnown = known !== undefined && known.state !== 'lost';
    if (!isKnown) void reply.code(404);
    const answer = isKnown ? toPayout(known) : { code: 'PAYOUT_NOT_FOUND', idempotencyKey };
    return await misbehaveAfter(provider.faults, request, reply, answer);
  });
}

async function takeOrder(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
  const { orders } = provider;
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '' || !isOrder(request.body)) {
    throw new DomainError(
      'INVALID_REQUEST',
      'An order has a key, an amount, a currency, a method, a destination, a recipient and the moment until which it is valid.',
    );
  }
  const { validUntil, ...order } = request.body;
  const script = scriptOf(order.destination, key);
  const before = orders.find(key);
  const isNew = before === undefined;
  if ((isNew || before.state === 'lost') && orders.isOver(validUntil)) {
    return await reply.code(409).send({ code: 'ORDER_EXPIRED', idempotencyKey: key });
  }
  const isForgotten = isNew && happens(provider.faults.forgets);
  const known = orders.submit(key, order, isForgotten ? 'held' : script.arrivesAs);
  if (isForgotten) orders.forget([key]);
  if (!isForgotten && (!script.answers || known.state === 'lost')) return cut(request, reply);
  return await misbehaveAfter(provider.faults, request, reply, toPayout(known));
}

function listRoutes(app: FastifyInstance, provider: Provider): void {
  const { orders } = provider;
  app.get<{ Querystring: { since?: string; after?: string } }>('/orders', async (request, reply) => {
    const { since, after } = request.query;
    if (!isInstant(since)) throw new DomainError('INVALID_REQUEST', 'since is a UTC timestamp.');
    const page = orders.orderedSince(new Date(since).toISOString(), after === undefined ? null : placeOf(after), PAGE);
    const last = page.length === PAGE ? page.at(-1)! : null;
    const answer = {
      orders: page.map((order) => ({ ...toPayout(order), orderedAt: order.orderedAt })),
      next: last && `${last.orderedAt} ${last.idempotencyKey}`,
    };
    return await misbehaveAfter(provider.faults, request, reply, answer);
  });
  app.get<{ Params: { day: string } }>('/statements/:day', (request, reply) => {
    const { day } = request.params;
    if (!isCalendarDate(day)) throw notFound('The day');
    const start = Date.parse(day);
    const end = Math.max(start, Math.min(start + DAY_MS, Date.now()));
    const period = { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
    return reply.type('application/jsonl').send(writeStatement(period, orders.finishedBetween(period.from, period.to)));
  });
}

function placeOf(next: string): { orderedAt: string; idempotencyKey: string } {
  const [orderedAt = '', ...key] = next.split(' ');
  return { orderedAt, idempotencyKey: key.join(' ') };
}

function requireKey(key: string, { headers, url }: FastifyRequest): void {
  if (url === '/livez' || url === '/readyz') return;
  const digest = (text: string) => hash('sha256', text, 'buffer');
  if (timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${key}`))) return;
  throw new DomainError('INVALID_CREDENTIAL', 'The key is missing or another one.');
}

async function misbehaveBefore(faults: Faults, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (faults.isDown) return void cut(request, reply);
  await pause(faults.delayMs);
  if (happens(faults.fails)) await reply.code(503).send({ code: 'SERVICE_UNAVAILABLE' });
}

async function misbehaveAfter(faults: Faults, request: FastifyRequest, reply: FastifyReply, answer: object) {
  if (happens(faults.answersLost)) return cut(request, reply);
  if (happens(faults.hangs)) await pause(HANGS_MS, undefined, { ref: false });
  return answer;
}

function cut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

/** Not part of a real provider: tests inject failures and read its orders. */
function controlRoutes(app: FastifyInstance, provider: Provider): void {
  const { orders } = provider;
  app.get('/control/faults', () => provider.faults);
  app.put('/control/faults', (request) => {
    const faults = readFaults(request.body);
    if (faults === null) throw new DomainError('INVALID_REQUEST', 'There is no such fault, or not of that kind.');
    Object.assign(provider.faults, faults);
    return faults;
  });
  app.post('/control/forget', (request) => {
    const { idempotencyKeys } = (request.body ?? {}) as { idempotencyKeys?: unknown };
    if (!Array.isArray(idempotencyKeys)) throw new DomainError('INVALID_REQUEST', 'idempotencyKeys is a list.');
    return { forgotten: orders.forget(idempotencyKeys.map(String)) };
  });
  app.post('/control/finish', (request) => {
    const { idempotencyKey, status } = (request.body ?? {}) as { idempotencyKey?: unknown; status?: unknown };
    if (typeof idempotencyKey !== 'string' || (status !== 'settled' && status !== 'declined')) {
      throw new DomainError(
        'INVALID_REQUEST',
        'An order is named by its idempotencyKey; status is settled or declined.',
      );
    }
    const order = orders.finish(idempotencyKey, status);
    if (order === undefined || order.state === 'lost') throw notFound('The order');
    return toPayout(order);
  });
  app.get('/control/orders', (_request, reply) =>
    reply.type('application/jsonl').send(
      orders
        .every()
        .map((order) => `${JSON.stringify(order)}\n`)
        .join(''),
    ),
  );
}
