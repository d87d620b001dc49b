import { newEvent, type EventOf, type Heard } from '@payroll/events';
import { instantOf, newId } from '@payroll/kernel';
import { as, read, readHistory, sql, type Applied } from '@payroll/store';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { currentTraceparent, startTracing, stepOf } from '@payroll/telemetry';
import { Turn, type EventCommand } from '../src/turn.js';
import { openDatabases, type Databases } from './support/databases.js';
import { memoryLog } from './support/memory-log.js';
import { numbers, runnerOf, see, seen } from './support/told.js';

type Event = Heard<EventOf<'payment.created'>>;

const log = memoryLog();
let databases: Databases;
let history: string;
beforeAll(async () => {
  databases = await openDatabases('messaging_turn');
  history = await readHistory(databases.review.em);
});
beforeEach(() => {
  log.entries.length = 0;
});
afterAll(() => databases[Symbol.asyncDispose]());

function events(count: number, workspaceId = newId()): Event[] {
  return numbers(1, count).map((sequence) => {
    const ids = { paymentId: newId(), sourceId: newId(), sourceType: 'timesheet' } as const;
    const { type, aboutId, body } = newEvent('payment.created', ids.paymentId, { ...ids, sequence, status: 'pending' });
    const occurredAt = instantOf(new Date());
    return { id: newId(), workspaceId, requestId: 'req_1', occurredAt, type, aboutId, body, history };
  });
}

async function take(all: readonly Event[]): Promise<Applied[]> {
  const turn = new Turn({ commands: runnerOf(databases.review.em), log });
  const applied = all.map((event) => turn.apply(see() as EventCommand, event));
  await turn.take();
  return await Promise.all(applied);
}

/** As consumers do: a busy machine may make one wait too long for the other. */
async function takeUntilDone(all: readonly Event[]): Promise<void> {
  while (!(await take(all).catch(() => null)));
}

async function seenOf(work: () => Promise<void>): Promise<number[]> {
  const before = (await seen(databases.review.em)).length;
  await work();
  expect(log.of('warn')).toEqual([]);
  return [(await seen(databases.review.em)).length - before];
}

it('an event that is in it twice is applied once, and both are told so', async () => {
  const [first, second] = events(2);
  const applied: Applied[] = [];
  const count = await seenOf(async () => void applied.push(...(await take([first!, second!, first!, second!]))));
  expect(applied).toEqual(['applied', 'applied', 'replayed', 'replayed']);
  expect(count).toEqual([2]);
});

it('an event of another history is dropped alone', async () => {
  const all = events(5);
  all[2] = { ...all[2]!, history: 'another' };
  const applied: Applied[] = [];
  const count = await seenOf(async () => void applied.push(...(await take(all))));
  expect(applied).toEqual(['applied', 'applied', 'elsewhere', 'applied', 'applied']);
  expect(count).toEqual([4]);
});

it.each([
  ['after', (copy: Event, event: Event) => [event, copy]],
  ['before', (copy: Event, event: Event) => [copy, event]],
])('an event that is in it %s its copy of another history is applied all the same', async (_, order) => {
  const [event, other] = events(2);
  const all = [...order({ ...event!, history: 'another' }, event!), other!];
  const count = await seenOf(async () => {
    expect((await take(all)).toSorted()).toEqual(['applied', 'applied', 'elsewhere']);
  });
  expect(count).toEqual([2]);
});

it('what each of them emits continues the trace of its own event', async () => {
  await using _tracing = await startTracing('review', { ratio: 1, exportEveryMs: 60_000 });
  const traces = ['1', '2', '3'].map((digit) => digit.repeat(32));
  const emittedIn: (string | undefined)[] = [];
  const command = see(() => void emittedIn.push(currentTraceparent()?.split('-')[1])) as EventCommand;
  const turn = new Turn({ commands: runnerOf(databases.review.em), log });
  const applied = events(3).map((event, n) =>
    stepOf(`00-${traces[n]}-${'a'.repeat(16)}-01`, 'hear', {}, () => turn.apply(command, event)),
  );
  await turn.take();
  expect(await Promise.all(applied)).toEqual(['applied', 'applied', 'applied']);
  expect(emittedIn).toEqual(traces);
});

it('two processes with the same events in other orders apply each once, and neither waits for the other in vain', async () => {
  const before = (await seen(databases.review.em)).length;
  for (const _ of numbers(1, 10)) {
    const all = events(10);
    await Promise.all([all, all.toReversed()].map(takeUntilDone));
  }
  expect(await seen(databases.review.em)).toHaveLength(before + 100);
  const [stat] = await read(
    databases.review.em,
    sql`select ${as('deadlocks', 'int', sql`deadlocks`)} from pg_stat_database where datname = current_database()`,
  );
  expect(stat).toEqual({ deadlocks: 0 });
});
