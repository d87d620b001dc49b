import { connectNats } from '@payroll/bus';
import { sql } from 'kysely';
import { DiscardPolicy } from 'nats';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { Scene } from './support/scene.js';
import { numbers, outbox, seen, tell } from './support/told.js';

// What the relay does about events that are not confirmed yet.

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_offers');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 30_000 };

interface Row {
  awaiting: string[];
  isOpen: boolean;
  isDue: boolean;
}

async function rows(): Promise<Row[]> {
  const found = await sql<Row>`
    select awaiting, due_at is not null as "isOpen", coalesce(due_at <= clock_timestamp(), false) as "isDue"
    from outbox_event order by recorded_at`.execute(scene.payments.em.getKysely());
  return found.rows;
}

async function change(set: ReturnType<typeof sql>): Promise<void> {
  await sql`update outbox_event set ${set}`.execute(scene.payments.em.getKysely());
}

it('an event of two consumers stays due until both have confirmed', async () => {
  await tell(scene.payments.em, 1);
  await change(sql`awaiting = '{payments,review}'`);
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer();
  await expect.poll(async () => (await rows()).map(({ awaiting }) => awaiting), WAIT).toEqual([['payments']]);
  expect(await rows()).toMatchObject([{ isOpen: true }]);
});

it('what is unconfirmed is due at once when the stream was lost, whatever its lease', async () => {
  await using _publisher = scene.publisher();
  await tell(scene.payments.em, 1);
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ attempts: 1 });
  await change(sql`due_at = clock_timestamp() + interval '1 h'`);
  await scene.nats.wipe();
  await expect.poll(rows, WAIT).toMatchObject([{ isDue: true }]);
});

it('what is unconfirmed is due at once when its consumer is in another history than before, whatever its lease', async () => {
  await scene.copy('messaging_offers_copy');
  await using _publisher = scene.publisher();
  await using consumer = scene.consumer();
  await tell(scene.payments.em, 1);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  await scene.switchTo('messaging_offers_copy');
  await tell(scene.payments.em, 2);
  await change(sql`due_at = clock_timestamp() + interval '1 h', attempt = 1`);
  await consumer.consumer.ready;
  await expect.poll(() => seen(scene.review.em), { timeout: 30_000 }).toEqual([2]);
}, 60_000);

it('a publication that the stream refuses does not count: what arrives in the end is the first attempt', async () => {
  await using operator = connectNats({ url: scene.nats.urls.payments, name: 'payments', log: scene.log });
  const connection = await vi.waitUntil(() => operator.connection);
  const { streams } = await connection.jetstreamManager();
  const full = { name: 'events-payments', subjects: ['events.payments.>'], discard: DiscardPolicy.New };
  await streams.add({ ...full, max_msgs: 1 });
  await using _publisher = scene.publisher();
  for (const number of numbers(1, 2)) await tell(scene.payments.em, number);
  const refusals = (): number => scene.log.of('warn').filter((each) => each.startsWith('Events could not be')).length;
  await expect.poll(refusals, WAIT).toBeGreaterThan(2);
  const { config } = await streams.info(full.name);
  await streams.update(full.name, { ...config, max_msgs: -1 });
  await using _consumer = scene.consumer();
  await expect.poll(() => outbox(scene.payments.em), WAIT).toEqual({ open: 0, attempts: 2 });
  expect(await seen(scene.review.em)).toEqual([1, 2]);
});
