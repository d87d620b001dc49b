import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '@payroll/kernel';
import { CommandRunner, type Applied, type Claimed, type DomainEvent, type HeardEvent } from '@payroll/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ThingDatabase } from './databases.js';
import { copyThing, counts, eventIn, makeThing, makeUnless, NOTHING, ONCE, originOf, refusal } from './things.js';

let database: ThingDatabase;
let em: EntityManager;
let elsewhere: EntityManager;
let told: (readonly DomainEvent[])[];
let runner: CommandRunner;
let workspaceId: string;

function collect(events: readonly Claimed[]): Promise<void> {
  if (events.length > 0) told.push(events.map(({ event }) => event));
  return Promise.resolve();
}

beforeAll(async () => {
  database = await ThingDatabase.open('store_command_runner');
  [em, elsewhere] = [await database.process(), await database.process()];
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  told = [];
  runner = new CommandRunner({ em, relay: { isOpen: true, deliver: collect } });
});

describe('an operation', () => {
  it('sent twice is applied once and answers the same', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    const first = await runner.run(makeThing, { name: 'a' }, origin, operationId);
    expect(await runner.run(makeThing, { name: 'a' }, origin, operationId)).toEqual(first);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
    expect(told).toHaveLength(1);
  });

  it('sent again says that it is a replay, and the first time that it is none', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    let replays = 0;
    const told = { ...origin, noteReplay: () => void replays++ };
    await runner.run(makeThing, { name: 'a' }, told, operationId);
    expect(replays).toBe(0);
    await runner.run(makeThing, { name: 'a' }, told, operationId);
    expect(replays).toBe(1);
  });

  it('sent 20 times at once has one effect and 20 equal results', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    const other = new CommandRunner({ em: elsewhere });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? runner : other).run(makeThing, { name: 'a' }, origin, operationId)),
    );
    for (const result of results) expect(result).toEqual(results[0]);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('is of one principal in one workspace: the same id from another is another operation', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    const other = originOf(newId(), origin.actor.principalId);
    const made = [];
    for (const from of [origin, originOf(workspaceId), other]) {
      made.push(await runner.run(makeThing, { name: 'a' }, from, operationId));
    }
    expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  });

  it('that was refused stays refused, also when it would be allowed by now, and writes nothing else', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    let refused = true;
    const command = makeUnless(() => (refused ? refusal() : null));
    const { code, message, details } = refusal();
    const run = (id: string) => runner.run(command, { name: 'a' }, origin, id);
    await expect(run(operationId)).rejects.toMatchObject({ code, message, details });
    refused = false;
    await expect(run(operationId)).rejects.toMatchObject({ code, message, details });
    expect(await counts(em, workspaceId)).toEqual({ ...NOTHING, applied_operation: 1 });
    expect(told).toEqual([]);
    await run(newId());
    expect(await counts(em, workspaceId)).toEqual({ ...ONCE, applied_operation: 2 });
  });

  it('whose id comes with another command or input is refused, and the first one still answers', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    const first = await runner.run(makeThing, { name: 'a' }, origin, operationId);
    const reused = { code: 'IDEMPOTENCY_KEY_REUSED' };
    await expect(runner.run(makeThing, { name: 'b' }, origin, operationId)).rejects.toMatchObject(reused);
    await expect(runner.run(copyThing, { name: 'a' }, origin, operationId)).rejects.toMatchObject(reused);
    expect(await runner.run(makeThing, { name: 'a' }, origin, operationId)).toEqual(first);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('that failed unexpectedly leaves nothing, so that sent again it succeeds', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    let error: Error | null = new TypeError('a mistake of ours');
    const command = makeUnless(() => error);
    await expect(runner.run(command, { name: 'a' }, origin, operationId)).rejects.toBe(error);
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    error = null;
    await runner.run(command, { name: 'a' }, origin, operationId);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('has a UUID', async () => {
    const run = runner.run(makeThing, { name: 'a' }, originOf(workspaceId), 'mine');
    await expect(run).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
  });

  it('of an actor that may only read, or nothing, runs no command', async () => {
    for (const scopes of [['read'], []] as const) {
      const origin = originOf(workspaceId, newId(), scopes);
      const run = runner.run(makeThing, { name: 'a' }, origin);
      await expect(run).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    }
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
  });
});

it('the relay gets exactly what was emitted, when others can see it', async () => {
  const seen: object[] = [];
  const deliver = async (events: readonly Claimed[]) => {
    const ids = events.map(({ event }) => event.id);
    const { rows } = await sql<{ body: object }>`
      select body from outbox_event where id = any(${ids}::uuid[]) order by id`.execute(elsewhere.getKysely());
    seen.push(...rows.map(({ body }) => body));
    await collect(events);
  };
  const origin = originOf(workspaceId);
  const { id, at } = await new CommandRunner({ em, relay: { isOpen: true, deliver } }).run(
    makeThing,
    { name: 'a' },
    origin,
  );
  const event = {
    type: 'thing.made',
    workspaceId,
    aboutId: id,
    occurredAt: at,
    requestId: origin.requestId,
    body: { name: 'a' },
  };
  expect(told).toEqual([[{ ...event, id: expect.any(String) as string }]]);
  expect(seen).toEqual(told[0]);
});

describe('several events together', () => {
  const applyAll = async (events: readonly HeardEvent[]): Promise<readonly Applied[]> =>
    await runner.applyAll(
      events.map((event) => ({ command: makeThing, input: { name: 'a' }, event, origin: originOf(workspaceId) })),
    );

  it('have one effect each, also one that is among them twice', async () => {
    const [one, two] = [await eventIn(em, workspaceId), await eventIn(em, workspaceId)];
    expect(await applyAll([one, two, one])).toEqual(['applied', 'applied', 'replayed']);
    expect(await counts(em, workspaceId)).toMatchObject({ thing: 2, inbox_event: 2 });
  });

  it.each(['before', 'after'])('apply one with its copy of another history %s it', async (where) => {
    const [one, two] = [await eventIn(em, workspaceId), await eventIn(em, workspaceId)];
    const copy = { ...one, history: 'another' };
    const all = where === 'before' ? [copy, one, two] : [one, copy, two];
    expect(await applyAll(all)).toEqual(all.map((event) => (event === copy ? 'elsewhere' : 'applied')));
    expect(await counts(em, workspaceId)).toMatchObject({ thing: 2, inbox_event: 2 });
  });
});

describe('an event', () => {
  it('applied twice has one effect', async () => {
    const event = await eventIn(em, workspaceId);
    const apply = () => runner.apply(makeThing, { name: 'a' }, event, originOf(workspaceId));
    expect([await apply(), await apply()]).toEqual(['applied', 'replayed']);
    expect(await counts(em, workspaceId)).toEqual({ ...ONCE, applied_operation: 0, inbox_event: 1 });
    expect(told).toHaveLength(1);
  });

  it('of another history of the database has no effect', async () => {
    const event = { ...(await eventIn(em, workspaceId)), history: 'another' };
    expect(await runner.apply(makeThing, { name: 'a' }, event, originOf(workspaceId))).toBe('elsewhere');
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    expect(told).toEqual([]);
  });

  it('applied by several processes at once has one effect', async () => {
    const event = await eventIn(em, workspaceId);
    const other = new CommandRunner({ em: elsewhere });
    const first = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? runner : other).apply(makeThing, { name: 'a' }, event, originOf(workspaceId)),
      ),
    );
    expect(first.toSorted()).toEqual(['applied', ...Array.from({ length: 9 }, () => 'replayed')]);
    expect(await counts(em, workspaceId)).toEqual({ ...ONCE, applied_operation: 0, inbox_event: 1 });
  });

  it.each([refusal(), new TypeError('a mistake of ours')])('that met "%s" can be applied later', async (error) => {
    const event = await eventIn(em, workspaceId);
    let fails = true;
    const command = makeUnless(() => (fails ? error : null));
    const apply = () => runner.apply(command, { name: 'a' }, event, originOf(workspaceId));
    await expect(apply()).rejects.toBe(error);
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    fails = false;
    expect(await apply()).toBe('applied');
  });
});
