import { Commands, defineCommand, type Committed } from '@payroll/commands';
import { type DomainError, newId, unavailable } from '@payroll/kernel';
import { computed, read, sql, rawSql } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { thingSchema, ThingTable } from './databases.js';
import { TestDatabase } from '../../store/test/databases.js';
import {
  ANYBODY,
  counts,
  eventIn,
  make,
  makeAnd,
  makeThing,
  makeUnless,
  NOTHING,
  ONCE,
  originOf,
  REFUSED,
  refusal,
} from './things.js';

/** An advisory lock with which a test delays the recording of refusals. */
const RECORDING = 4711;

let emitted: (readonly Committed[])[];
let commands: Commands;
let other: Commands;
let workspaceId: string;

const database = await TestDatabase.open('commands_refusals', thingSchema);
const [em, otherEm] = [await database.process(), await database.process()];
await database.asOwner(async (owner) => {
  await owner.em.execute(`
    create function contracts.wait_for_the_test() returns trigger language plpgsql as $$
      begin while not pg_try_advisory_xact_lock(${RECORDING}) loop perform pg_sleep(0.01); end loop; return new; end; $$;
    create trigger wait_for_the_test before insert on contracts.applied_operation for each row
      when (new.outcome ->> 'kind' = 'refused') execute function contracts.wait_for_the_test();`);
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  emitted = [];
  commands = new Commands({ em, relay: { deliver: (events) => Promise.resolve(void emitted.push(events)) } });
  other = new Commands({ em: otherEm });
});

/** Delays recording until the returned function is called. */
async function holdRecording(): Promise<() => Promise<void>> {
  const pool = await otherEm.getConnection().getNativeClient();
  const client = await pool.connect();
  await client.query(`select pg_advisory_lock(${RECORDING})`);
  return async () => {
    await client.query(`select pg_advisory_unlock(${RECORDING})`);
    client.release();
  };
}

/** Waits until a refusal is about to be recorded. It polls, because a wait for a lock would end after a second. */
async function recordingHeld(): Promise<void> {
  const held = sql`select ${computed('held', 'int', sql`count(*)`)} from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`;
  await expect.poll(async () => (await read(em, held))[0]!.held).toBeGreaterThan(0);
}

describe('a command that has sent rows, events, audit entries and SQL, and then refuses,', () => {
  const refuse = (why: () => Error | null) =>
    makeAnd((tx) => {
      const { workspaceId: workspace, now } = tx;
      tx.write(sql`insert into thing (id, workspace_id, name, created_at, updated_at)
        values (${newId()}, ${workspace}, 'by SQL', ${now}, ${now})`);
      make(tx, 'another');
      const error = why();
      if (error) throw error;
    });

  it('leaves its recorded refusal and no other row', async () => {
    const run = commands.run(refuse(refusal), { name: 'a' }, originOf(workspaceId));
    const { code, message, details } = refusal();
    await expect(run).rejects.toMatchObject({ code, message, details });
    expect(await counts(em, workspaceId)).toEqual(REFUSED);
    expect(emitted).toEqual([[]]);
  });

  it('stays refused even if it would be allowed now; another operation is decided again', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    let isRefused = true;
    const command = refuse(() => (isRefused ? refusal() : null));
    const run = (id: string) => commands.run(command, { name: 'a' }, { ...origin, operationId: id });
    await expect(run(operationId)).rejects.toThrow();
    isRefused = false;
    await expect(run(operationId)).rejects.toMatchObject({ code: refusal().code });
    expect(await counts(em, workspaceId)).toEqual(REFUSED);
    await run(newId());
    expect(await counts(em, workspaceId)).toMatchObject({ thing: 3, applied_operation: 2 });
  });

  it('leaves no row if it came from an event, so that the event can be applied later', async () => {
    const event = await eventIn(em, workspaceId);
    let isRefused = true;
    const command = refuse(() => (isRefused ? refusal() : null));
    await expect(commands.apply(command, event)).rejects.toMatchObject({ code: refusal().code });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    isRefused = false;
    expect(await commands.apply(command, event)).toBe('applied');
    expect(await counts(em, workspaceId)).toMatchObject({ thing: 3, applied_operation: 1 });
  });
});

it('a refusal during `find` is recorded like any other, and a replay precedes it', async () => {
  const [origin, operationId] = [originOf(workspaceId), newId()];
  let isThere = true;
  const command = defineCommand('thing.rename', {
    who: ANYBODY,
    find: async (rows, { name }: { name: string }) => {
      const thing = await rows.find(ThingTable, { name });
      if (!isThere) throw refusal();
      return thing;
    },
    decide: (_tx, _input, thing) => ({ wasThere: thing !== null }),
  });
  const run = (id: string) => commands.run(command, { name: 'a' }, { ...origin, operationId: id });
  expect(await run(operationId)).toEqual({ wasThere: false });
  isThere = false;
  expect(await run(operationId)).toEqual({ wasThere: false });
  await expect(run(newId())).rejects.toMatchObject({ code: refusal().code });
  expect(await counts(em, workspaceId)).toMatchObject({ applied_operation: 2 });
});

it('an outage records no outcome: the same operation is decided once it is over', async () => {
  const origin = { ...originOf(workspaceId), operationId: newId() };
  let isDown = true;
  const command = makeUnless(() => (isDown ? unavailable('What decides it') : null));
  const run = () => commands.run(command, { name: 'a' }, origin);
  await expect(run()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await counts(em, workspaceId)).toEqual(NOTHING);
  isDown = false;
  await run();
  expect(await counts(em, workspaceId)).toEqual(ONCE);
});

it('a refusal caused by a failed statement is not recorded', async () => {
  const origin = { ...originOf(workspaceId), operationId: newId() };
  const command = makeAnd(async (tx) => {
    await tx.read(sql`select 1 / ${0}::int`).catch(() => undefined);
    throw refusal();
  });
  await expect(commands.run(command, { name: 'a' }, origin)).rejects.toMatchObject({ code: '22012' });
  expect(await counts(em, workspaceId)).toEqual(NOTHING);
});

describe('between the roll-back of a refusal and its record', () => {
  it('a copy may be applied: then its outcome applies to both', async () => {
    const origin = { ...originOf(workspaceId), operationId: newId() };
    let isRefused = true;
    const command = makeUnless(() => (isRefused ? refusal() : null));
    const release = await holdRecording();
    const refused = commands.run(command, { name: 'a' }, origin);
    await recordingHeld();
    isRefused = false;
    const applied = await other.run(command, { name: 'a' }, origin);
    await release();
    expect(await refused).toEqual(applied);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('a copy that found no outcome yet finds the refusal when it is about to commit', async () => {
    const origin = { ...originOf(workspaceId), operationId: newId() };
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const release = await holdRecording();
    const refused = commands.run(makeUnless(refusal), { name: 'a' }, origin).catch((e: unknown) => e);
    await recordingHeld();
    const slow = makeAnd(async () => {
      reached.resolve();
      await goOn.promise;
    });
    const copy = other.run(slow, { name: 'a' }, origin).catch((e: unknown) => e);
    await reached.promise;
    await release();
    const { code, message } = (await refused) as DomainError;
    goOn.resolve();
    expect(await copy).toMatchObject({ code, message });
    expect(await counts(em, workspaceId)).toEqual(REFUSED);
  });

  it('another operation with its id may be applied: then the refused one fails because the id is taken', async () => {
    const origin = { ...originOf(workspaceId), operationId: newId() };
    const release = await holdRecording();
    const refused = commands.run(makeUnless(refusal), { name: 'a' }, origin);
    await recordingHeld();
    await other.run(makeThing, { name: 'b' }, origin);
    await Promise.all([release(), expect(refused).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })]);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('the connection may end: no refusal is returned, and a retry is decided again', async () => {
    const origin = { ...originOf(workspaceId), operationId: newId() };
    let isRefused = true;
    const command = makeAnd(async (tx) => {
      if (!isRefused) return;
      const [backend] = await tx.read(sql`select ${rawSql<{ pid: number }>('pg_backend_pid() as pid')}`);
      await read(otherEm, sql`select pg_terminate_backend(${backend!.pid})`);
      throw refusal();
    });
    const run = () => commands.run(command, { name: 'a' }, origin);
    await expect(run()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    isRefused = false;
    await run();
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });
});

describe('a caller who is no longer allowed to run a command', () => {
  it('is refused its replay, and gets it once they are allowed again', async () => {
    const [principalId, operationId] = [newId(), newId()];
    const as = (role: 'admin' | 'viewer', scopes?: ['read', 'timesheets:write']) =>
      commands.run(makeThing, { name: 'a' }, { ...originOf(workspaceId, principalId, scopes, role), operationId });
    const first = await as('admin');
    await expect(as('viewer')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    await expect(as('admin', ['read', 'timesheets:write'])).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await as('admin')).toEqual(first);
  });

  it('leaves no trace of the attempt, so that the operation is decided once they are allowed', async () => {
    const [principalId, operationId] = [newId(), newId()];
    const run = (role: 'admin' | 'viewer') =>
      commands.run(makeThing, { name: 'a' }, { ...originOf(workspaceId, principalId, undefined, role), operationId });
    await expect(run('viewer')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    await run('admin');
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });
});
