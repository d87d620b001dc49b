import { DomainError, notFound } from '@payroll/kernel';
import type { FastifyInstance } from 'fastify';
import type { Provider } from './provider.js';
import { readFaults } from './faults.js';
import { toPayout } from './orders.js';

/** Not part of a real provider: tests inject failures and read its orders. */
export function controlRoutes(app: FastifyInstance, provider: Provider): void {
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
