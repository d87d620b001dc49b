import { DomainError, unavailable } from '@payroll/kernel';
import { metrics } from '@payroll/runtime';
import { read, sql, write } from '@payroll/store';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { deadLetters, emit, numbers, outbox, see, seen, unconfirm } from './events.js';
import { HASTY, Scene } from './scene.js';

const replies: string[] = [];
const scene = await Scene.open('commands_replies');
metrics.deliveries.connect({ inc: ({ reply }) => void replies.push(reply!) });
beforeEach(async () => {
  await scene.reset();
  replies.length = 0;
});
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 30_000 };

const refuse = (): never => {
  throw new DomainError('INVALID_STATE', 'cannot be applied');
};

it('an event that the command refuses is a dead letter at once, and the next ones are applied', async () => {
  let tries = 0;
  const command = see(({ sequence }) => {
    if (sequence !== 2) return;
    tries += 1;
    refuse();
  });
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer({ command });
  for (const number of numbers(1, 4)) await emit(scene.payments.em, number, publisher);
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  expect(await seen(scene.review.em)).toEqual([1, 3, 4]);
  expect(await deadLetters(scene.review.em)).toEqual([{ type: 'payment.retried', reason: 'cannot be applied' }]);
  expect(tries).toBe(1);
  expect(replies.toSorted()).toEqual(['applied', 'applied', 'applied', 'dead_lettered']);
  expect(scene.log.of('error')).toEqual(['An event was stored as a dead letter']);
});

it('an event whose values Postgres refuses is a dead letter', async () => {
  const command = see(async ({ sequence }) => {
    await read(scene.review.em, sql`select 1 / (${sequence}::int - 1)`);
  });
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer({ command });
  await emit(scene.payments.em, 1, publisher);
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  expect(await deadLetters(scene.review.em)).toHaveLength(1);
});

it('a dead letter that arrives again after the bug was fixed is applied', async () => {
  let isFixed = false;
  const command = see(() => {
    if (!isFixed) refuse();
  });
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer({ command });
  await emit(scene.payments.em, 1, publisher);
  await expect.poll(() => deadLetters(scene.review.em), WAIT).toHaveLength(1);
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  isFixed = true;
  await unconfirm(scene.payments.em);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
});

it('an event that meets a bug is held, and applied by the version without it', async () => {
  await using publisher = await scene.publisher(HASTY);
  {
    const bug = see(() => Promise.reject(new TypeError('undefined is not a function')));
    await using _consumer = await scene.consumer({ command: bug });
    await emit(scene.payments.em, 1, publisher);
    expect(replies).toContain('held');
    expect(scene.log.of('error')).toContain('An event that this version cannot apply is held');
    expect(await outbox(scene.payments.em)).toMatchObject({ open: 1 });
  }
  await using _newer = await scene.consumer();
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  expect(await deadLetters(scene.review.em)).toEqual([]);
});

it.each([
  ['type', sql`jsonb_set(body, '{type}', '"payment.reversed"')`],
  ['form', sql`jsonb_set(body, '{body,sourceType}', '"invoice-of-somebody"')`],
])('an event of a %s that this version does not know is held, and delays no other', async (_, newer) => {
  await emit(scene.payments.em, 1);
  await write(scene.payments.em, sql`update outbox_event set body = ${newer}`);
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer();
  await emit(scene.payments.em, 2, publisher);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([2]);
  await expect.poll(() => replies, WAIT).toContain('held');
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 1 });
  expect(await deadLetters(scene.review.em)).toEqual([]);
  expect(JSON.stringify(scene.log.entries)).not.toContain('invoice-of-somebody');
});

it('an event that the catalogue of this version does not route here is held', async () => {
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer({ appliedBy: {} });
  await emit(scene.payments.em, 1, publisher);
  expect(replies).toContain('held');
  expect(await outbox(scene.payments.em)).toMatchObject({ open: 1 });
});

it('an outage of any length postpones an event without making it a dead letter', async () => {
  let tries = 0;
  const command = see(() => {
    tries += 1;
    if (tries <= 5) throw unavailable('The database');
  });
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer({ command });
  await emit(scene.payments.em, 1, publisher);
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  expect(tries).toBeGreaterThan(5);
  expect(new Set(replies)).toContain('postponed');
  expect(await deadLetters(scene.review.em)).toEqual([]);
  expect(scene.log.of('error')).toEqual([]);
});
