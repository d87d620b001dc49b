import { Commands, defineCommand, type Committed } from '@payroll/commands';
import { MEMBERS_OR_INTERNAL, newId, type Origin } from '@payroll/kernel';
import { sql } from '@payroll/store';
import { metrics } from '@payroll/runtime';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { thingSchema } from './databases.js';
import { TestDatabase } from '../../store/test/databases.js';
import {
  ANYBODY,
  counts,
  eventIn,
  makeThing,
  makeUnless,
  NOTHING,
  ONCE,
  originOf,
  REFUSED,
  refusal,
} from './things.js';

let emitted: (readonly Committed[])[];
let commands: Commands;
let workspaceId: string;

const collect = (events: readonly Committed[]): Promise<void> => {
  if (events.length > 0) emitted.push(events);
  return Promise.resolve();
};

const database = await TestDatabase.open('commands', thingSchema);
const [em, otherEm] = [await database.process(), await database.process()];
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  emitted = [];
  commands = new Commands({ em, relay: { deliver: collect } });
});

describe('an operation', () => {
  it('sent twice is applied once and returns the same result', async () => {
    const origin = { ...originOf(workspaceId), operationId: newId() };
    const first = await commands.run(makeThing, { name: 'a' }, origin);
    expect(await commands.run(makeThing, { name: 'a' }, origin)).toEqual(first);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
    expect(emitted).toHaveLength(1);
  });

  it('sent 20 times at once to two processes has one effect and 20 equal results', async () => {
    const origin = { ...originOf(workspaceId), operationId: newId() };
    const other = new Commands({ em: otherEm });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? commands : other).run(makeThing, { name: 'a' }, origin)),
    );
    for (const result of results) expect(result).toEqual(results[0]);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('belongs to one principal in one workspace: the same id from another is another operation', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    const elsewhere = originOf(newId(), origin.actor.principalId);
    const made = [];
    for (const from of [origin, originOf(workspaceId), elsewhere]) {
      made.push(await commands.run(makeThing, { name: 'a' }, { ...from, operationId }));
    }
    expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  });

  it('with an id from its caller is compared by its input', async () => {
    const origin = { ...originOf(workspaceId), operationId: newId() };
    const first = await commands.run(makeThing, { name: 'a' }, origin);
    const reused = { code: 'IDEMPOTENCY_KEY_REUSED' };
    await expect(commands.run(makeThing, { name: 'b' }, origin)).rejects.toMatchObject(reused);
    const renamed = { ...makeThing, name: 'copyThing' };
    await expect(commands.run(renamed, { name: 'a' }, origin)).rejects.toMatchObject(reused);
    expect(await commands.run(makeThing, { name: 'a' }, origin)).toEqual(first);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('that failed unexpectedly leaves no row, and succeeds when sent again', async () => {
    const origin = { ...originOf(workspaceId), operationId: newId() };
    let error: Error | null = new TypeError('a mistake of ours');
    const run = () =>
      commands.run(
        makeUnless(() => error),
        { name: 'a' },
        origin,
      );
    await expect(run()).rejects.toBe(error);
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    error = null;
    await run();
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('needs a UUID as its id', async () => {
    const run = commands.run(makeThing, { name: 'a' }, { ...originOf(workspaceId), operationId: 'mine' });
    await expect(run).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
  });
});

describe('read-only credentials', () => {
  it.each([['read'], []] as const)('with the scopes %j run no command', async (...scopes) => {
    const run = commands.run(makeThing, { name: 'a' }, originOf(workspaceId, newId(), scopes as never));
    await expect(run).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
  });

  it('cannot run a command that requires no scope', async () => {
    const forMembers = { ...makeThing, who: MEMBERS_OR_INTERNAL };
    const { actor, ...origin } = originOf(workspaceId, newId(), ['read']);
    const reader: Origin = {
      ...origin,
      actor: { ...actor, kind: 'staff', team: 'support', person: 'ada@example.com' },
    };
    await expect(commands.run(forMembers, { name: 'a' }, reader)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
  });
});

describe('30 concurrent commands of one workspace', () => {
  it('have 30 effects, and failed ones do not affect others', async () => {
    const origin = originOf(workspaceId);
    const bad = defineCommand('makeThing', {
      who: ANYBODY,
      decide: (tx, { name }: { name: string }) => tx.write(sql`insert into thing (id) values (${name})`),
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        commands.run<{ name: string }, unknown>(n % 10 === 5 ? bad : makeThing, { name: 'a' }, origin),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect(await counts(em, workspaceId)).toMatchObject({ thing: 27, outbox_event: 27, applied_operation: 27 });
  });
});

it('each command is counted with its outcome, and each event that it commits', async () => {
  const counted: object[] = [];
  metrics.commands.connect({ observe: (labels) => void counted.push(labels), zero: () => undefined });
  metrics.eventsCommitted.connect({ inc: (labels) => void counted.push(labels) });
  const [origin, operationId, event] = [originOf(workspaceId), newId(), await eventIn(em, workspaceId)];
  await commands.run(makeThing, { name: 'a' }, { ...origin, operationId });
  await commands.run(makeThing, { name: 'a' }, { ...origin, operationId });
  for (const error of [refusal(), new TypeError('a mistake')]) {
    await expect(
      commands.run(
        makeUnless(() => error),
        { name: 'a' },
        origin,
      ),
    ).rejects.toThrow();
  }
  await commands.apply(makeThing, event);
  await commands.apply(makeThing, event);
  await expect(commands.apply(makeThing, { ...event, id: newId(), generation: 'another' })).rejects.toThrow();
  const made = { type: 'thing.made' };
  const command = 'makeThing';
  expect(counted).toEqual([
    { command, outcome: 'applied' },
    made,
    { command, outcome: 'replayed' },
    { command, outcome: 'refused' },
    { command, outcome: 'failed' },
    { command, outcome: 'applied' },
    made,
    { command, outcome: 'replayed' },
    { command, outcome: 'failed' },
  ]);
  expect(await counts(em, workspaceId)).toEqual({
    ...REFUSED,
    thing: 2,
    outbox_event: 2,
    audit_entry: 2,
    applied_operation: 3,
  });
});
