import { DomainError, unavailable } from '@payroll/kernel';
import { applyPutBack, forgetEvents, lookAtOutbox, type EventCommand } from '@payroll/messaging';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Log } from '@payroll/process';
import { Scene } from './support/scene.js';
import { makeDue, outbox, runnerOf, see, seen, tell } from './support/told.js';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_dead_letters');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 15_000 };

const refused = (): never => {
  throw new DomainError('INVALID_STATE', 'cannot be applied');
};

async function rows<Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await statement.execute(scene.review.em.getKysely())).rows;
}

const letters = () =>
  rows(sql<{ state: string; reason: string; tries: number }>`select state, reason, tries from dead_letter`);
const steps = () =>
  rows(sql<{ step: string; reason: string | null }>`select step, reason from dead_letter_step order by at`);
const putBack = () => rows(sql`update dead_letter set state = 'put_back'`);

/** One round of a process of the service. */
async function round(command: EventCommand<'payment.created'>, stopping?: AbortSignal): Promise<void> {
  const { em } = scene.review;
  const appliedBy = { 'payment.created': command };
  await applyPutBack({ em, commands: runnerOf(em), appliedBy, log: scene.log as Log }, stopping);
}

/** An event that review has refused, and whose publisher knows that. */
async function buried(): Promise<void> {
  await tell(scene.payments.em, 1);
  const { rows: told } = await sql<{ id: string; body: { workspaceId: string } }>`
    update outbox_event set due_at = null, awaiting = '{}' returning id, body`.execute(scene.payments.em.getKysely());
  const [{ id, body }] = told as [(typeof told)[number]];
  await rows(sql`insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at, tries)
    values (${id}, ${body.workspaceId}, 'payment.created', ${JSON.stringify(body)}, 'cannot be applied', now(), 5)`);
}

it('a dead letter says how often it was tried, and is left alone until a person puts it back', async () => {
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer({ command: see(refused) });
  await tell(scene.payments.em, 1);
  await expect.poll(letters, WAIT).toHaveLength(1);
  await round(see());
  expect(await letters()).toEqual([{ state: 'waiting', reason: 'cannot be applied', tries: 5 }]);
  expect(await seen(scene.review.em)).toEqual([]);
});

it('one that is put back is applied once, by however many processes, and also when its publisher sends it again', async () => {
  await buried();
  await putBack();
  await Promise.all([round(see()), round(see())]);
  expect(await seen(scene.review.em)).toEqual([1]);
  expect(await letters()).toMatchObject([{ state: 'applied' }]);
  expect(await steps()).toEqual([{ step: 'applied', reason: null }]);
  await makeDue(scene.payments.em);
  await using _publisher = scene.publisher();
  await using _consumer = scene.consumer();
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
  expect(await seen(scene.review.em)).toEqual([1]);
});

it('one whose event was applied by another way is closed, and nobody is asked', async () => {
  await buried();
  await makeDue(scene.payments.em);
  {
    await using _publisher = scene.publisher();
    await using _consumer = scene.consumer();
    await expect.poll(() => seen(scene.review.em), WAIT).toEqual([1]);
  }
  await Promise.all([round(see()), round(see())]);
  expect(await seen(scene.review.em)).toEqual([1]);
  expect(await letters()).toMatchObject([{ state: 'applied' }]);
  expect(await steps()).toEqual([{ step: 'applied', reason: 'The event had come once more.' }]);
});

it('one that is put back a year later is not applied again, whatever has been forgotten', async () => {
  await buried();
  await rows(sql`insert into inbox_event (event_id, workspace_id, type, applied_at)
    select event_id, workspace_id, type, now() - interval '1 year' from dead_letter`);
  // Put aside is what nobody is to settle by himself.
  await rows(sql`update dead_letter set state = 'put_aside'`);
  await forgetEvents(scene.review.em, 30);
  await putBack();
  await round(see());
  expect(await seen(scene.review.em)).toEqual([]);
  expect(await letters()).toMatchObject([{ state: 'applied' }]);
  await forgetEvents(scene.review.em, 30);
  expect(await rows(sql`select from inbox_event`)).toEqual([]);
});

it('one that is refused again is a dead letter again, with a longer story', async () => {
  await buried();
  await putBack();
  await round(see(() => Promise.reject(new DomainError('INVALID_STATE', 'still cannot be'))));
  expect(await letters()).toMatchObject([{ state: 'waiting', reason: 'cannot be applied' }]);
  expect(await steps()).toEqual([{ step: 'buried', reason: 'still cannot be' }]);
  await round(see());
  expect(await seen(scene.review.em)).toEqual([]);
});

it('one that fails by a mistake of ours, or cannot be read, is a dead letter again too', async () => {
  await buried();
  await putBack();
  await round(see(() => Promise.reject(new TypeError('undefined is not a function'))));
  await putBack();
  await rows(sql`update dead_letter set event = '{"type": "payment.reversed"}'`);
  await round(see());
  expect(await letters()).toMatchObject([{ state: 'waiting' }]);
  expect(await steps()).toMatchObject([{ step: 'buried', reason: 'undefined is not a function' }, { step: 'buried' }]);
});

it('one that is no event for this service is a dead letter again, and says so', async () => {
  await buried();
  await putBack();
  const { em } = scene.review;
  await applyPutBack({ em, commands: runnerOf(em), appliedBy: {}, log: scene.log as Log });
  expect(await steps()).toEqual([{ step: 'buried', reason: 'payment.created is no event for this service' }]);
  expect(scene.log.entries).toMatchObject([
    { level: 'warn', details: { eventType: 'payment.created', error: { name: 'Error' } } },
  ]);
});

it('an outage decides nothing: it stays put back, and is applied in the first round after that', async () => {
  await buried();
  await putBack();
  await round(see(() => Promise.reject(unavailable('The database'))));
  expect(await letters()).toMatchObject([{ state: 'put_back' }]);
  expect(await steps()).toEqual([]);
  await round(see());
  expect(await seen(scene.review.em)).toEqual([1]);
});

it('a process that ended between applying it and saying so leaves nothing to be applied twice', async () => {
  await buried();
  await putBack();
  await round(see());
  // As if the word of it had been lost.
  await putBack();
  await round(see());
  expect(await seen(scene.review.em)).toEqual([1]);
  expect(await letters()).toMatchObject([{ state: 'applied' }]);
});

it('a process that is asked to end leaves them put back, for the next one', async () => {
  await buried();
  await putBack();
  await round(see(), AbortSignal.abort());
  expect(await letters()).toMatchObject([{ state: 'put_back' }]);
  await round(see());
  expect([await letters(), await seen(scene.review.em)]).toMatchObject([[{ state: 'applied' }], [1]]);
});

it('the doctor counts those that wait for a person or for their turn, and none that was put aside or applied', async () => {
  await buried();
  const counted = async (state: string): Promise<boolean> => {
    await rows(sql`update dead_letter set state = ${state}`);
    const found = await lookAtOutbox(scene.review.em, 'review');
    return found.some(({ ok, what }) => !ok && what === 'review has no dead letter that waits for a person');
  };
  const states = ['waiting', 'put_back', 'put_aside', 'applied'];
  const answers: boolean[] = [];
  for (const state of states) answers.push(await counted(state));
  expect(answers).toEqual([true, true, false, false]);
});
