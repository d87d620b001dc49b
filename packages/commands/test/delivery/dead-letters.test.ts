import { DomainError, unavailable } from '@payroll/kernel';
import { retryDeadLetters, checkOutbox, type EventCommand } from '@payroll/commands';
import { read, sql, write, type Sql } from '@payroll/store';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Log } from '@payroll/runtime';
import { emit, outbox, runnerOf, see, seen, unconfirm } from './events.js';
import { HASTY, Scene } from './scene.js';

const scene = await Scene.open('commands_dead_letters');
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 15_000 };

const refused = (): never => {
  throw new DomainError('INVALID_STATE', 'cannot be applied');
};

const letters = () => read(scene.review.em, sql`select state, reason from dead_letter`);
const steps = () => read(scene.review.em, sql`select step, reason from dead_letter_step order by at`);
const change = (statement: Sql) => write(scene.review.em, statement);
const putBack = () => change(sql`update dead_letter set state = 'put_back'`);

/** One round of a process of the service. */
async function round(command: EventCommand<'payment.retried'>, stopping?: AbortSignal): Promise<void> {
  const { em } = scene.review;
  const appliedBy = { 'payment.retried': command };
  await retryDeadLetters({ em, commands: runnerOf(em), appliedBy, log: scene.log as Log }, stopping);
}

/** An event that review has dead-lettered, confirmed to its publisher. */
async function refusedEvent(): Promise<void> {
  await emit(scene.payments.em, 1);
  const { em } = scene.payments;
  await write(em, sql`delete from outbox_delivery`);
  const [event] = await read(em, sql`select id, body from outbox_event`);
  const { id, body } = event as { id: string; body: { workspaceId: string } };
  await change(sql`insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at)
    values (${id}, ${body.workspaceId}, 'payment.retried', ${JSON.stringify(body)}, 'cannot be applied', now())`);
}

it('a dead letter is left alone until a person puts it back', async () => {
  await using _publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer({ command: see(refused) });
  await emit(scene.payments.em, 1);
  await expect.poll(letters, WAIT).toHaveLength(1);
  await round(see());
  expect(await letters()).toEqual([{ state: 'waiting', reason: 'cannot be applied' }]);
  expect(await seen(scene.review.em)).toEqual([]);
});

it('a dead letter that is put back is applied once, by several processes and after a redelivery', async () => {
  await refusedEvent();
  await putBack();
  await Promise.all([round(see()), round(see())]);
  expect(await seen(scene.review.em)).toEqual([1]);
  expect(await letters()).toMatchObject([{ state: 'applied' }]);
  expect(await steps()).toEqual([{ step: 'applied', reason: null }]);
  await unconfirm(scene.payments.em);
  await using _publisher = await scene.publisher(HASTY);
  await using _consumer = await scene.consumer();
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  expect(await seen(scene.review.em)).toEqual([1]);
});

it('a dead letter whose event was applied after a redelivery is closed without a person', async () => {
  await refusedEvent();
  await unconfirm(scene.payments.em);
  {
    await using _publisher = await scene.publisher(HASTY);
    await using _consumer = await scene.consumer();
    await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  }
  await Promise.all([round(see()), round(see())]);
  expect(await seen(scene.review.em)).toEqual([1]);
  expect(await letters()).toMatchObject([{ state: 'applied' }]);
  expect(await steps()).toEqual([{ step: 'applied', reason: 'The event arrived again.' }]);
});

it('a dead letter that is refused again stays one, with a further step', async () => {
  await refusedEvent();
  await putBack();
  await round(see(() => Promise.reject(new DomainError('INVALID_STATE', 'still cannot be'))));
  expect(await letters()).toMatchObject([{ state: 'waiting', reason: 'cannot be applied' }]);
  expect(await steps()).toEqual([{ step: 'dead_lettered', reason: 'still cannot be' }]);
  await round(see());
  expect(await seen(scene.review.em)).toEqual([]);
});

it('a dead letter that meets a bug or cannot be read becomes a dead letter again', async () => {
  await refusedEvent();
  await putBack();
  await round(see(() => Promise.reject(new TypeError('undefined is not a function'))));
  await putBack();
  await change(sql`update dead_letter set event = '{"type": "payment.reversed"}'`);
  await round(see());
  expect(await letters()).toMatchObject([{ state: 'waiting' }]);
  expect(await steps()).toMatchObject([
    { step: 'dead_lettered', reason: 'undefined is not a function' },
    { step: 'dead_lettered' },
  ]);
});

it('a dead letter of another service’s event type becomes a dead letter again, with that reason', async () => {
  await refusedEvent();
  await putBack();
  const { em } = scene.review;
  await retryDeadLetters({ em, commands: runnerOf(em), appliedBy: {}, log: scene.log as Log });
  expect(await steps()).toEqual([
    { step: 'dead_lettered', reason: 'payment.retried is not an event for this service' },
  ]);
  expect(scene.log.entries).toMatchObject([
    { level: 'warn', details: { eventType: 'payment.retried', error: { name: 'Error' } } },
  ]);
});

it('during an outage a dead letter stays put back, and is applied in the first round after it', async () => {
  await refusedEvent();
  await putBack();
  await round(see(() => Promise.reject(unavailable('The database'))));
  expect(await letters()).toMatchObject([{ state: 'put_back' }]);
  expect(await steps()).toEqual([]);
  await round(see());
  expect(await seen(scene.review.em)).toEqual([1]);
});

it('a dead letter is not applied twice if the process ends before it is closed', async () => {
  await refusedEvent();
  await putBack();
  await round(see());
  // As if the process had ended before closing the dead letter.
  await putBack();
  await round(see());
  expect(await seen(scene.review.em)).toEqual([1]);
  expect(await letters()).toMatchObject([{ state: 'applied' }]);
  expect(await steps()).toEqual([
    { step: 'applied', reason: null },
    { step: 'applied', reason: null },
  ]);
});

it('a draining process leaves dead letters put back for the next one', async () => {
  await refusedEvent();
  await putBack();
  await round(see(), AbortSignal.abort());
  expect(await letters()).toMatchObject([{ state: 'put_back' }]);
  await round(see());
  expect([await letters(), await seen(scene.review.em)]).toMatchObject([[{ state: 'applied' }], [1]]);
});

it('doctor counts dead letters that are open or put back, not dismissed or applied ones', async () => {
  await refusedEvent();
  const counted = async (state: string): Promise<boolean> => {
    await change(sql`update dead_letter set state = ${state}`);
    const found = await checkOutbox(scene.review.em, 'review');
    return found.some(({ ok, what }) => !ok && what === 'review has no dead letter that waits for a person');
  };
  const states = ['waiting', 'put_back', 'put_aside', 'applied'];
  const answers: boolean[] = [];
  for (const state of states) answers.push(await counted(state));
  expect(answers).toEqual([true, true, false, false]);
});
