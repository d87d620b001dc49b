import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '@payroll/kernel';
import type { EventRunner } from '@payroll/messaging';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Gate } from './support/gate.js';
import { Scene } from './support/scene.js';
import { deadLetters, outbox, runnerOf, seen, tell } from './support/told.js';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_histories');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 30_000 };

const DROPPED = 'An event of another history of the database was dropped';

/** A runner with something done before and after each event. */
function runnerBetween(em: EntityManager, before: () => Promise<void>, after = () => Promise.resolve()): EventRunner {
  const runner = runnerOf(em);
  return {
    apply: async (...what) => {
      await before();
      const applied = await runner.apply(...what);
      await after();
      return applied;
    },
    applyAll: (items) => runner.applyAll(items),
  };
}

it('what was lost by a switch of databases is not applied, though it was taken before the switch', async () => {
  await scene.copy('messaging_before_approval');
  const gate = new Gate();
  let first = true;
  const commands = runnerBetween(scene.review.em, async () => {
    if (first) await gate.pass();
    first = false;
  });
  await using publisher = scene.publisher();
  await using _consumer = scene.consumer({ commands });
  await tell(scene.payments.em, 1, (events) => publisher.relay.deliver(events));
  await gate.reached;
  await scene.switchTo('messaging_before_approval');
  gate.open();
  await expect.poll(() => scene.log.of('warn'), WAIT).toContain(DROPPED);
  await tell(scene.payments.em, 2, (events) => publisher.relay.deliver(events));
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  expect(await seen(scene.review.em)).toEqual([2]);
});

it('a receipt of the lost history confirms nothing in this one: the event is applied here as well', async () => {
  const [before, after] = [new Gate(), new Gate()];
  const commands = runnerBetween(
    scene.review.em,
    () => before.pass(),
    () => after.pass(),
  );
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ commands });
  await tell(scene.payments.em, 1);
  await before.reached;
  await scene.copy('messaging_before_receipt');
  before.open();
  await after.reached;
  expect(await seen(scene.review.em)).toEqual([1]);
  await scene.switchTo('messaging_before_receipt');
  expect(await seen(scene.review.em)).toEqual([]);
  after.open();
  await expect.poll(() => seen(scene.review.em), { timeout: 60_000 }).toEqual([1]);
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
}, 90_000);

it('what was lost is not buried either', async () => {
  await scene.copy('messaging_before_burial');
  const gate = new Gate();
  let tries = 0;
  const commands = runnerBetween(scene.review.em, async () => {
    tries += 1;
    if (tries === 5) await gate.pass();
    throw new DomainError('INVALID_STATE', 'cannot be applied');
  });
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ commands });
  await tell(scene.payments.em, 1);
  await gate.reached;
  await scene.switchTo('messaging_before_burial');
  gate.open();
  await expect.poll(() => scene.log.of('warn'), WAIT).toContain(DROPPED);
  expect(await deadLetters(scene.review.em)).toEqual([]);
});

it('an older database beside a newer JetStream: what never happened in it is dropped, what is due arrives once', async () => {
  await tell(scene.payments.em, 1);
  await using older = await scene.restored('messaging_restored');
  {
    await using publisher = scene.publisher();
    await expect.poll(() => publisher.bus.connected, WAIT).toBe(true);
    await tell(scene.payments.em, 2, (events) => publisher.relay.deliver(events));
    await expect.poll(() => outbox(scene.payments.em), WAIT).toEqual({ open: 2, attempts: 2 });
  }
  await using _publisher = older.publisher();
  await using _consumer = older.consumer();
  await expect.poll(() => outbox(older.payments.em), WAIT).toEqual({ open: 0, attempts: 1 });
  expect(await seen(older.review.em)).toEqual([1]);
  expect(older.log.of('warn')).toEqual(Array(2).fill('An event of another history of the database was dropped'));
});
