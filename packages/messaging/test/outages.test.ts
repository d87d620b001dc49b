import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Scene, type Publisher } from './support/scene.js';
import { numbers, outbox, seen, tell } from './support/told.js';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_outages');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 30_000 };

/** What the consumer has applied once the outbox says that nothing is left; a number twice if it did so twice. */
async function arrived(): Promise<number[]> {
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  return await seen(scene.review.em);
}

async function tellMany(publisher: Publisher, from: number, to: number): Promise<void> {
  const deliver: typeof publisher.relay.deliver = (events) => publisher.relay.deliver(events);
  await Promise.all(numbers(from, to).map((n) => tell(scene.payments.em, n, deliver)));
}

it('while NATS is down events are given back to the poll, and everything arrives when it is back', async () => {
  await using publisher = scene.publisher();
  await using _consumer = scene.consumer();
  await tellMany(publisher, 1, 3);
  expect(await arrived()).toEqual(numbers(1, 3));

  await scene.nats.process.stop();
  await expect.poll(() => publisher.bus.connected).toBe(false);
  // What was published while the stream was made is published twice.
  const { attempts } = await outbox(scene.payments.em);
  await tell(scene.payments.em, 4, (events) => publisher.relay.deliver(events));
  expect(await outbox(scene.payments.em)).toEqual({ open: 1, attempts });

  await scene.nats.process.start();
  expect(await arrived()).toEqual(numbers(1, 4));
});

it('processes start while NATS is down', async () => {
  await scene.nats.process.stop();
  await using publisher = scene.publisher();
  await using consumer = scene.consumer();
  await tell(scene.payments.em, 1, (events) => publisher.relay.deliver(events));
  expect(consumer.consumer.isReady).toBe(false);
  await expect.poll(() => scene.log.of('warn')).toContain('NATS cannot be reached yet');

  await scene.nats.process.start();
  await consumer.consumer.ready;
  expect(await arrived()).toEqual(numbers(1, 1));
});

it('what NATS had stored and lost is published again, without a restart of anything', async () => {
  await using publisher = scene.publisher();
  await tellMany(publisher, 1, 5);
  await scene.nats.wipe();
  await using _consumer = scene.consumer();
  expect(await arrived()).toEqual(numbers(1, 5));
});

it('a store wiped between and during events loses none and applies none twice', async () => {
  await using publisher = scene.publisher();
  await using _consumer = scene.consumer();
  await tellMany(publisher, 1, 10);
  for (const round of [1, 2, 3]) {
    const telling = tellMany(publisher, round * 10 + 1, round * 10 + 10);
    await scene.nats.wipe();
    await telling;
  }
  expect(await arrived()).toEqual(numbers(1, 40));
});

it('a server killed in the middle loses none and applies none twice', async () => {
  await using publisher = scene.publisher();
  await using _consumer = scene.consumer();
  for (const round of [0, 1, 2]) {
    const telling = tellMany(publisher, round * 10 + 1, round * 10 + 10);
    await scene.nats.process.kill();
    await telling;
    await scene.nats.process.ready();
  }
  expect(await arrived()).toEqual(numbers(1, 30));
});
