import { afterAll, beforeEach, expect, it } from 'vitest';
import { emit, numbers, outbox, seen } from './events.js';
import { HASTY, Scene, type Publisher } from './scene.js';

const scene = await Scene.open('commands_outages');
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 30_000 };

/** The numbers that the consumer has applied once every event is confirmed; duplicates show up twice. */
async function applied(): Promise<number[]> {
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  return await seen(scene.review.em);
}

async function emitAll(publisher: Publisher, from: number, to: number): Promise<void> {
  await Promise.all(numbers(from, to).map((n) => emit(scene.payments.em, n, publisher)));
}

it('while NATS is down answers do not wait and no event is claimed; all are applied afterwards', async () => {
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer();
  await emitAll(publisher, 1, 3);
  expect(await applied()).toEqual(numbers(1, 3));

  await scene.nats.process.stop();
  await expect.poll(() => publisher.bus.connected).toBe(false);
  const before = performance.now();
  await emit(scene.payments.em, 4, publisher);
  expect(performance.now() - before).toBeLessThan(900);
  // Longer than its lease.
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(await outbox(scene.payments.em)).toEqual({ open: 1, attempts: 1 });

  await scene.nats.process.start();
  expect(await applied()).toEqual(numbers(1, 4));
});

it('processes start while NATS is down, and connect once it is up', async () => {
  await scene.nats.process.stop();
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer();
  await emit(scene.payments.em, 1, publisher);
  expect(scene.log.of('warn')).toContain('NATS cannot be reached yet');
  await scene.nats.process.start();
  expect(await applied()).toEqual([1]);
});

it('a server killed in the middle loses no event and has none applied twice', async () => {
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer();
  for (const round of [0, 1, 2]) {
    const emitting = emitAll(publisher, round * 10 + 1, round * 10 + 10);
    await scene.nats.process.kill();
    await emitting;
    await scene.nats.process.ready();
  }
  expect(await applied()).toEqual(numbers(1, 30));
});

it("cutting off the publisher's Postgres during confirmation loses no event", async () => {
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer();
  await emitAll(publisher, 1, 10);
  const pool = await scene.payments.em.getConnection().getNativeClient();
  const emitting = emitAll(publisher, 11, 20).catch(() => undefined);
  await scene.review.em.execute('select 1');
  await pool
    .query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = 'payments' and pid <> pg_backend_pid()`,
    )
    .catch(() => undefined);
  await emitting;
  const numbersApplied = await applied();
  expect(new Set(numbersApplied).size).toBe(numbersApplied.length);
  expect(numbersApplied).toEqual(expect.arrayContaining(numbers(1, 10)));
});
