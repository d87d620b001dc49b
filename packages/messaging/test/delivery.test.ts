import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { forgetEvents } from '@payroll/messaging';
import { metrics } from '@payroll/telemetry';
import { sql } from 'kysely';
import { Scene } from './support/scene.js';
import { makeDue, numbers, outbox, seen, tell } from './support/told.js';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_delivery');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

it('an answer waits for the receipt: the consumer has applied the event by then', async () => {
  await using publisher = scene.publisher();
  await using consumer = scene.consumer();
  await consumer.consumer.ready;
  // The first one may find the consumer still waiting for the stream to be made.
  await tell(scene.payments.em, 1);
  await expect.poll(() => outbox(scene.payments.em)).toMatchObject({ open: 0 });
  const { attempts } = await outbox(scene.payments.em);
  let received = 0;
  for (const number of numbers(2, 5)) {
    const before = performance.now();
    await tell(scene.payments.em, number, (events) => publisher.relay.deliver(events));
    // It waits for no longer than a second, in which a busy machine may not come to all of them.
    if (performance.now() - before > 900) await expect.poll(() => seen(scene.review.em)).toHaveLength(number);
    else received += 1;
    expect(await seen(scene.review.em)).toEqual(numbers(1, number));
  }
  expect(received).toBeGreaterThan(0);
  await expect.poll(() => outbox(scene.payments.em)).toEqual({ open: 0, attempts: attempts + 4 });
});

it('without its consumer an answer waits for a second; the event arrives when the consumer comes, once', async () => {
  await using publisher = scene.publisher();
  await expect.poll(() => publisher.bus.connected).toBe(true);
  const waits: unknown[] = [];
  using _waits = metrics.receiptWaits.connect({ observe: (labels) => void waits.push(labels) });
  await tell(scene.payments.em, 1, (events) => publisher.relay.deliver(events));
  expect(waits).toEqual([{ outcome: 'late' }]);

  await using consumer = scene.consumer();
  await consumer.consumer.ready;
  await expect.poll(() => outbox(scene.payments.em)).toMatchObject({ open: 0 });
  expect(await seen(scene.review.em)).toEqual([1]);
});

it('an answer waits for no consumer of what nobody awaits; the event arrives all the same', async () => {
  await using publisher = scene.publisher();
  await expect.poll(() => publisher.bus.connected).toBe(true);
  const waits: unknown[] = [];
  using _waits = metrics.receiptWaits.connect({ observe: (labels) => void waits.push(labels) });
  await tell(scene.payments.em, 1, (events) =>
    publisher.relay.deliver(events.map((each) => ({ ...each, isAwaited: false }))),
  );
  expect(waits).toEqual([]);
  await using consumer = scene.consumer();
  await consumer.consumer.ready;
  await expect.poll(() => seen(scene.review.em)).toEqual([1]);
});

it('an event of a process that died right after its commit is published when its lease is over', async () => {
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer();
  await tell(scene.payments.em, 1, () => Promise.resolve());
  expect(await outbox(scene.payments.em)).toMatchObject({ open: 1 });
  await makeDue(scene.payments.em);
  await expect.poll(() => seen(scene.review.em)).toEqual([1]);
});

it('an event that is published again is applied once and confirmed again', async () => {
  await using publisher = scene.publisher();
  await using _consumer = scene.consumer();
  await tell(scene.payments.em, 1, (events) => publisher.relay.deliver(events));
  await expect.poll(() => outbox(scene.payments.em)).toMatchObject({ open: 0 });
  const { attempts } = await outbox(scene.payments.em);
  await makeDue(scene.payments.em);
  await expect.poll(() => outbox(scene.payments.em)).toEqual({ open: 0, attempts: attempts + 1 });
  expect(await seen(scene.review.em)).toEqual([1]);
});

it('several processes on one outbox and several consumers apply everything once', async () => {
  await using one = scene.publisher();
  await using two = scene.publisher();
  await using _first = scene.consumer();
  await using _second = scene.consumer();
  await Promise.all(
    numbers(1, 60).map((n) =>
      tell(scene.payments.em, n, n % 3 === 0 ? undefined : (events) => (n % 2 === 0 ? one : two).relay.deliver(events)),
    ),
  );
  await expect.poll(() => seen(scene.review.em)).toEqual(numbers(1, 60));
  await expect.poll(() => outbox(scene.payments.em)).toMatchObject({ open: 0 });
  expect(await seen(scene.review.em)).toEqual(numbers(1, 60));
});

it(
  'a consumer that stops in the middle leaves nothing behind that its successor does not get',
  { timeout: 45_000 },
  async () => {
    await using _publisher = scene.publisher();
    const first = scene.consumer();
    await Promise.all(numbers(1, 100).map((n) => tell(scene.payments.em, n)));
    await expect.poll(async () => (await seen(scene.review.em)).length).toBeGreaterThan(0);
    await first[Symbol.asyncDispose]();
    await using _second = scene.consumer();
    // What was on its way to the first just then is offered again after ten seconds.
    await expect.poll(() => seen(scene.review.em), { timeout: 30_000 }).toEqual(numbers(1, 100));
  },
);

it('confirmed events are forgotten after their time and the notes of applied ones later; what waits stays', async () => {
  const rows = async (): Promise<object> => ({
    open: (await outbox(scene.payments.em)).open,
    outbox: (await sql`select from outbox_event`.execute(scene.payments.em.getKysely())).rows.length,
    inbox: (await sql`select from inbox_event`.execute(scene.review.em.getKysely())).rows.length,
  });
  const age = async (days: number): Promise<void> => {
    const at = sql`now() - make_interval(days => ${days})`;
    await sql`update outbox_event set recorded_at = ${at}`.execute(scene.payments.em.getKysely());
    await sql`update inbox_event set applied_at = ${at}`.execute(scene.review.em.getKysely());
    await Promise.all([scene.payments.em, scene.review.em, scene.review.em].map((em) => forgetEvents(em, 30)));
  };
  {
    await using _publisher = scene.publisher();
    await using _consumer = scene.consumer();
    await tell(scene.payments.em, 1);
    await expect.poll(rows).toEqual({ open: 0, outbox: 1, inbox: 1 });
  }
  await age(29);
  expect(await rows()).toEqual({ open: 0, outbox: 1, inbox: 1 });
  await tell(scene.payments.em, 2);
  await age(31);
  expect(await rows()).toEqual({ open: 1, outbox: 1, inbox: 1 });
  await age(61);
  expect(await rows()).toEqual({ open: 1, outbox: 1, inbox: 0 });
});
