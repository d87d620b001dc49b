import type { EntityManager } from '@mikro-orm/postgresql';
import type { Commands } from '@payroll/commands';
import { DomainError } from '@payroll/kernel';
import { readGeneration } from '@payroll/store';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { claimDue, markConfirmed } from '../../src/outbox/outbox.js';
import { deadLetters, emit, makeDue, outbox, runnerOf, seen } from './events.js';
import { Gate } from './gate.js';
import { HASTY, Scene } from './scene.js';

const scene = await Scene.open('commands_generations');
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 30_000 };

const NOT_APPLIED = 'An event cannot be applied at the moment';

/** A runner with something done before and after each event. */
function runnerBetween(
  em: EntityManager,
  before: () => Promise<void>,
  after = () => Promise.resolve(),
): Pick<Commands, 'apply'> {
  const runner = runnerOf(em);
  return {
    apply: async (...what) => {
      await before();
      const applied = await runner.apply(...what);
      await after();
      return applied;
    },
  };
}

it('an event of the lost database is not applied, even if it was received before the switch', async () => {
  const gates: Gate[] = [];
  const commands = runnerBetween(scene.review.em, async () => await gates[0]?.pass());
  await using publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer({ commands });
  // A process that cached the generation would have this one.
  await emit(scene.payments.em, 1, publisher);
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  await scene.copy('commands_before_approval');
  const gate = new Gate();
  gates.push(gate);
  await emit(scene.payments.em, 2, publisher);
  await gate.reached;
  await scene.switchTo('commands_before_approval');
  gate.open();
  await expect.poll(() => scene.log.of('warn'), WAIT).toContain(NOT_APPLIED);
  await emit(scene.payments.em, 3, publisher);
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  expect(await seen(scene.review.em)).toEqual([1, 3]);
});

it('a confirmation from the lost database is ignored in this one, and the event is applied here', async () => {
  const [before, after] = [new Gate(), new Gate()];
  const commands = runnerBetween(
    scene.review.em,
    () => before.pass(),
    () => after.pass(),
  );
  await using publisher = await scene.publisher({ ...HASTY, replyWithinMs: 30_000 });
  await using _consumer = await scene.consumer({ commands });
  const emitted = emit(scene.payments.em, 1, publisher);
  await before.reached;
  await scene.copy('commands_before_reply');
  before.open();
  await after.reached;
  expect(await seen(scene.review.em)).toEqual([1]);
  await scene.switchTo('commands_before_reply');
  expect(await seen(scene.review.em)).toEqual([]);
  after.open();
  await emitted;
  await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
}, 90_000);

it('an event of the lost database is not stored as a dead letter', async () => {
  await scene.copy('commands_before_refusal');
  const gate = new Gate();
  const commands = runnerBetween(scene.review.em, async () => {
    await gate.pass();
    throw new DomainError('INVALID_STATE', 'cannot be applied');
  });
  await using publisher = await scene.publisher({ ...HASTY, replyWithinMs: 30_000 });
  await using _consumer = await scene.consumer({ commands });
  await emit(scene.payments.em, 1, publisher);
  await gate.reached;
  await scene.switchTo('commands_before_refusal');
  gate.open();
  await expect
    .poll(() => scene.log.of('warn'), WAIT)
    .toContain('An event can be neither applied nor stored as a dead letter at the moment');
  expect(await deadLetters(scene.review.em)).toEqual([]);
});

it('the outbox compares the generation in the statement that confirms, by consumer', async () => {
  const { em } = scene.payments;
  await emit(em, 1);
  await makeDue(em);
  const [delivery] = await claimDue(em, 'review', { limit: 10 });
  const { id, generation } = delivery!.event;
  expect(generation).toBe(await readGeneration(em));
  await markConfirmed(em, 'review', [{ id, generation: 'another' }]);
  await markConfirmed(em, 'payments', [{ id, generation }]);
  expect(await outbox(em)).toMatchObject({ open: 1 });
  await markConfirmed(em, 'review', [{ id, generation }]);
  expect(await outbox(em)).toMatchObject({ open: 0 });
});
