import { unavailable } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Scene } from './scene.js';
import { deadLetters, makeDue, numbers, outbox, seeBy, seen, tell, type Told } from './told.js';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_consumer');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 15_000 };

it('a poison event becomes a dead letter after a few tries; what comes after it goes on meanwhile', async () => {
  let tries = 0;
  const handler = async (event: Told): Promise<unknown> => {
    if (event.body.sequence !== 2) return await seeBy(scene.review.em)(event);
    tries += 1;
    throw new TypeError('cannot be applied');
  };
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ 'payment.created': handler });
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

it('an event that is not what its type says is buried at once, and no value of it is logged', async () => {
  await tell(scene.payments.em, 1);
  await sql`
    update outbox_event set body = jsonb_set(body, '{body,sourceType}', '"invoice-of-somebody"')`.execute(
    scene.payments.em.getKysely(),
  );
  await tell(scene.payments.em, 2);
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer();
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([2]);
  await expect.poll(() => deadLetters(scene.review.em), WAIT).toHaveLength(1);
  const [letter] = await deadLetters(scene.review.em);
  expect(letter?.reason).toContain('payment.created: body.sourceType');
  expect(JSON.stringify(scene.log.entries)).not.toContain('invoice-of-somebody');
});

it('an outage of the consumer’s database buries nothing, however often the event was tried', async () => {
  let tries = 0;
  const handler = async (event: Told): Promise<unknown> => {
    tries += 1;
    if (tries <= 5) throw unavailable('The database');
    return await seeBy(scene.review.em)(event);
  };
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ 'payment.created': handler });
  await tell(scene.payments.em, 1);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  expect(await deadLetters(scene.review.em)).toEqual([]);
  expect(scene.log.of('error')).toEqual([]);
});

it('an event that nothing handles is confirmed and forgotten', async () => {
  await using publisher = scene.publisher();
  await using _consumer = scene.consumer({});
  await tell(scene.payments.em, 1, (events) => publisher.relay.deliver(events));
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  expect(await seen(scene.review.em)).toEqual([]);
});

it('a buried event that is published again after the bug was mended is applied', async () => {
  let mended = false;
  const handler = async (event: Told): Promise<unknown> => {
    if (!mended) throw new TypeError('a bug');
    return await seeBy(scene.review.em)(event);
  };
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ 'payment.created': handler });
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

  const handler = async (event: Told): Promise<unknown> => {
    if (event.body.sequence === 7) throw new TypeError('cannot be applied');
    return await seeBy(scene.review.em)(event);
  };
  await using consumer = scene.consumer({ 'payment.created': handler });
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
