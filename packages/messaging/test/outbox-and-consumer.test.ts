import { startTestNats } from '@payroll/infra/test-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectNats, EventConsumer, OutboxRelay } from '@payroll/messaging';
import { createDatabases, makeDue, numbers, open, seeBy, seen, tellOf, unconfirmed } from './harness.js';
import { MemoryLog } from './memory-log.js';

const stack = new AsyncDisposableStack();
let nats: Awaited<ReturnType<typeof startTestNats>>;
let payments: Awaited<ReturnType<typeof open>>;
let review: Awaited<ReturnType<typeof open>>;
const log = new MemoryLog();

beforeAll(async () => {
  const urls = await createDatabases('messaging_flow');
  nats = stack.use(await startTestNats());
  payments = stack.use(await open('payments', urls.payments));
  review = stack.use(await open('review', urls.review));
});
afterAll(() => stack.disposeAsync());

function publisher() {
  const s = new AsyncDisposableStack();
  const bus = s.use(connectNats({ url: nats.urls.payments, name: 'payments', log }));
  const relay = s.use(new OutboxRelay({ bus, em: payments.em, service: 'payments', log }));
  return { relay, bus, [Symbol.asyncDispose]: () => s.disposeAsync() };
}

function consumer() {
  const s = new AsyncDisposableStack();
  const bus = s.use(connectNats({ url: nats.urls.review, name: 'review', log }));
  const c = s.use(
    new EventConsumer({
      bus,
      em: review.em,
      publisher: 'payments',
      service: 'review',
      log,
      handlers: { 'payment.created': seeBy(review.em) },
    }),
  );
  return { consumer: c, bus, [Symbol.asyncDispose]: () => s.disposeAsync() };
}

it('flows', async () => {
  await using p = publisher();
  await using c = consumer();
  await c.consumer.ready;
  console.log('ready');
  for (const n of numbers(1, 5)) {
    const t = performance.now();
    await tellOf(payments.em, n, (events) => p.relay.deliver(events));
    console.log(n, performance.now() - t, await seen(review.em));
  }
  await expect.poll(() => unconfirmed(payments.em)).toBe(0);
  const t = performance.now();
  await nats.wipe();
  console.log('wiped', performance.now() - t);
  await tellOf(payments.em, 6, (events) => p.relay.deliver(events));
  await expect.poll(() => seen(review.em), { timeout: 10000 }).toEqual(numbers(1, 6));
  console.log('again', performance.now() - t);
});
