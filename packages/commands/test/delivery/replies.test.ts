import { connectNats } from '@payroll/bus';
import { DomainError, unavailable } from '@payroll/kernel';
import { readHistory } from '@payroll/store';
import { sql } from 'kysely';
import { AckPolicy, headers, nanos, type NatsConnection } from 'nats';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { Scene } from './support/scene.js';
import { deadLetters, makeDue, numbers, outbox, see, seen, tell } from './support/told.js';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_consumer');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 30_000 };

const refusal = (): DomainError => new DomainError('INVALID_STATE', 'cannot be applied');

it('an event that the command refuses becomes a dead letter after a few tries; what comes after it goes on', async () => {
  let tries = 0;
  const command = see(({ sequence }) => {
    if (sequence !== 2) return;
    tries += 1;
    throw refusal();
  });
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ command });
  for (const number of numbers(1, 4)) await tell(scene.payments.em, number);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1, 3, 4]);
  await expect
    .poll(() => deadLetters(scene.review.em), WAIT)
    .toEqual([{ type: 'payment.created', reason: 'cannot be applied' }]);
  expect(tries).toBe(5);
  expect(scene.log.of('error')).toEqual(['An event was buried as a dead letter']);
  // Its consumer has taken it over: it is not offered for ever.
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
});

it('values that Postgres refuses are the event’s own fault as well', async () => {
  const command = see(async ({ sequence }) => {
    await sql`select 1 / (${sequence}::int - 1)`.execute(scene.review.em.getKysely());
  });
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ command });
  await tell(scene.payments.em, 1);
  await expect.poll(() => deadLetters(scene.review.em), WAIT).toHaveLength(1);
});

it('an event that fails by a mistake of ours is held, and applied by the version that knows better', async () => {
  await using _publisher = scene.publisher();
  {
    const mistake = see(() => Promise.reject(new TypeError('undefined is not a function')));
    await using _consumer = scene.consumer({ command: mistake });
    await tell(scene.payments.em, 1);
    await expect.poll(() => scene.log.of('error'), WAIT).toEqual(['An event that this version cannot apply is held']);
  }
  expect(await outbox(scene.payments.em)).toMatchObject({ open: 1 });
  await using _newer = scene.consumer();
  await makeDue(scene.payments.em);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  expect(await deadLetters(scene.review.em)).toEqual([]);
});

it.each([
  ['a type', sql`jsonb_set(body, '{type}', '"payment.reversed"')`],
  ['a form', sql`jsonb_set(body, '{body,sourceType}', '"invoice-of-somebody"')`],
])(
  'an event of %s that this version does not know is held, and keeps no other and no start waiting',
  async (_, newer) => {
    await tell(scene.payments.em, 1);
    await sql`update outbox_event set body = ${newer}`.execute(scene.payments.em.getKysely());
    await tell(scene.payments.em, 2);
    await using _publisher = scene.publisher();
    await using consumer = scene.consumer();
    await expect.poll(() => seen(scene.review.em), WAIT).toEqual([2]);
    await consumer.consumer.ready;
    await expect.poll(() => scene.log.of('error'), WAIT).toHaveLength(1);
    await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 1 });
    expect(await deadLetters(scene.review.em)).toEqual([]);
    expect(JSON.stringify(scene.log.entries)).not.toContain('invoice-of-somebody');
  },
);

it('an outage of the consumer’s database buries nothing, however often the event was tried', async () => {
  let tries = 0;
  const command = see(() => {
    tries += 1;
    if (tries <= 5) throw unavailable('The database');
  });
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ command });
  await tell(scene.payments.em, 1);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  expect(await deadLetters(scene.review.em)).toEqual([]);
  expect(scene.log.of('error')).toEqual([]);
});

it('a type that is routed to nobody here is let go without a word, in case a newer catalogue routes it here', async () => {
  await using _publisher = scene.publisher();
  await using consumer = scene.consumer({ appliedBy: {} });
  await tell(scene.payments.em, 1);
  await expect.poll(async () => (await outbox(scene.payments.em)).attempts, WAIT).toBeGreaterThan(0);
  await consumer.consumer.ready;
  expect(await outbox(scene.payments.em)).toMatchObject({ open: 1 });
  expect(scene.log.of('error')).toEqual([]);
});

it('a buried event that is published again after the bug was mended is applied', async () => {
  let mended = false;
  const command = see(() => {
    if (!mended) throw refusal();
  });
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ command });
  await tell(scene.payments.em, 1);
  await expect.poll(() => deadLetters(scene.review.em), WAIT).toHaveLength(1);
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  mended = true;
  await makeDue(scene.payments.em);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
});

it('is ready once what was in the stream at its start is applied or buried', async () => {
  await using publisher = scene.publisher();
  await Promise.all(numbers(1, 30).map((n) => tell(scene.payments.em, n)));
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ attempts: 30 });
  expect(publisher.bus.connected).toBe(true);

  const command = see(({ sequence }) => {
    if (sequence === 7) throw refusal();
  });
  await using consumer = scene.consumer({ command });
  expect(consumer.consumer.isReady).toBe(false);
  await consumer.consumer.ready;
  expect(await seen(scene.review.em)).toEqual(numbers(1, 30).filter((n) => n !== 7));
  expect(await deadLetters(scene.review.em)).toHaveLength(1);
});

it('is ready at once where the publisher has not made its stream, and stays ready', async () => {
  await using consumer = scene.consumer();
  await consumer.consumer.ready;
  await using _publisher = scene.publisher();
  await tell(scene.payments.em, 1);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  expect(consumer.consumer.isReady).toBe(true);
});

it('a stream and a consumer that an older version made are changed in place, and what they hold arrives once', async () => {
  await using older = new AsyncDisposableStack();
  const as = async (user: 'payments' | 'review'): Promise<NatsConnection> => {
    const bus = older.use(connectNats({ url: scene.nats.urls[user], name: user, log: scene.log }));
    return await vi.waitUntil(() => bus.connection);
  };
  const [payments, review] = [await as('payments'), await as('review')];
  const { streams } = await payments.jetstreamManager();
  const { consumers } = await review.jetstreamManager();
  const stream = 'events-payments';
  // An operator's own setting is none of ours.
  const settings = { subjects: ['events.payments.>'], max_age: nanos(3_600_000), max_bytes: 1_000_000 };
  await streams.add({ name: stream, ...settings });
  const slow = { ack_policy: AckPolicy.Explicit, ack_wait: nanos(2_000), max_ack_pending: 2, max_deliver: 3 };
  await consumers.add(stream, { durable_name: 'review', ...slow });
  for (const number of numbers(1, 5)) {
    await tell(scene.payments.em, number, async (events) => {
      const about = headers();
      about.set('Payroll-History', await readHistory(scene.payments.em));
      for (const { event } of events) {
        await payments.jetstream().publish('events.payments.x', JSON.stringify(event), { headers: about });
      }
    });
  }

  await using _consumer = scene.consumer();
  await using _publisher = scene.publisher();
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  expect(await seen(scene.review.em)).toEqual(numbers(1, 5));
  expect(scene.log.of('info')).toEqual(expect.arrayContaining(['Changed the consumer', 'Changed the stream']));
  const week = nanos(7 * 86_400_000);
  expect(await streams.info(stream)).toMatchObject({
    config: { ...settings, max_age: week },
    state: { first_seq: 1 },
  });
  expect(await consumers.info(stream, 'review')).toMatchObject({
    config: { ack_wait: nanos(30_000), max_ack_pending: 1_000, max_deliver: -1 },
    num_pending: 0,
  });
});
