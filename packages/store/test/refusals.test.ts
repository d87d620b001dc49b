import type { EntityManager } from '@mikro-orm/postgresql';
import { newId, toInstant, unavailable, type DomainError } from '@payroll/kernel';
import { as, CommandRunner, defineCommand, read, sql, type Applied, type Claimed } from '@payroll/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insteadRefuse, type Outcome } from '../src/commands/once.js';
import { Transaction } from '../src/sql/transaction.js';
import { ThingDatabase } from './databases.js';
import {
  ANYBODY,
  counts,
  eventIn,
  make,
  makeThing,
  makeUnless,
  NOTHING,
  ONCE,
  originOf,
  refusal,
  writeThenThrow,
} from './things.js';

const REFUSED = { ...NOTHING, applied_operation: 1 };

let database: ThingDatabase;
let em: EntityManager;
let elsewhere: EntityManager;
let told: (readonly Claimed[])[];
let runner: CommandRunner;
let workspaceId: string;

const relay = { isOpen: true, deliver: (events: readonly Claimed[]) => Promise.resolve(void told.push(events)) };

beforeAll(async () => {
  database = await ThingDatabase.open('store_refusals');
  [em, elsewhere] = [await database.process(), await database.process()];
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  told = [];
  runner = new CommandRunner({ em, relay });
});

/** Refuses the first time it is asked to decide, once it is let go of; decides for what comes later. */
function slowToRefuse() {
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  const command = defineCommand('makeThing', {
    who: ANYBODY,
    decide: async (tx, { name }: { name: string }) => {
      const made = make(tx, name);
      if (!isFirst) return made;
      isFirst = false;
      reached.resolve();
      await release.promise;
      throw refusal();
    },
  });
  return { command, reached: reached.promise, release: () => release.resolve() };
}

/** Until somebody waits for a change clock. */
async function queued(): Promise<void> {
  const waiting = async (): Promise<number> => {
    const [row] = await read(em, sql`select ${as('count', 'int', sql`count(*)`)} from pg_locks where not granted`);
    return row!.count;
  };
  await expect.poll(waiting).toBeGreaterThan(0);
}

describe('a command that has written by entities, by SQL and for the outbox, and then refuses,', () => {
  it('leaves its refusal and nothing else', async () => {
    const run = runner.run(writeThenThrow(refusal), { name: 'a' }, originOf(workspaceId));
    await expect(run).rejects.toMatchObject({ code: refusal().code });
    expect(await counts(em, workspaceId)).toEqual(REFUSED);
    expect(told).toEqual([]);
  });

  it('has its refusal recorded in one transaction with the change clock', async () => {
    const run = runner.run(writeThenThrow(refusal), { name: 'a' }, originOf(workspaceId));
    await expect(run).rejects.toThrow();
    const rows = await read(
      elsewhere,
      sql`select clock.xmin = operation.xmin as "isOne" from change_clock as clock
        join applied_operation as operation using (workspace_id) where workspace_id = ${workspaceId}`,
    );
    expect(rows).toEqual([{ isOne: true }]);
  });

  it('because of an event leaves nothing, so that the event can be applied later', async () => {
    const event = await eventIn(em, workspaceId);
    let refused = true;
    const command = writeThenThrow(() => (refused ? refusal() : null));
    const apply = (): Promise<Applied> => runner.apply(command, { name: 'a' }, event, originOf(workspaceId));
    await expect(apply()).rejects.toMatchObject({ code: refusal().code });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    refused = false;
    expect(await apply()).toBe('applied');
    expect(await counts(em, workspaceId)).toMatchObject({ thing: 3, inbox_event: 1 });
  });
});

it('a command that cannot decide now has decided nothing: sent again it may be applied', async () => {
  const [origin, operationId] = [originOf(workspaceId), newId()];
  let isDown = true;
  const command = makeUnless(() => (isDown ? unavailable('What decides it') : null));
  const run = (): Promise<unknown> => runner.run(command, { name: 'a' }, origin, operationId);
  await expect(run()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await counts(em, workspaceId)).toEqual(NOTHING);
  isDown = false;
  await run();
  expect(await counts(em, workspaceId)).toEqual(ONCE);
});

describe('between the roll-back of a refusal and its record', () => {
  it('a copy that was decided counts, whatever was about to be recorded', async () => {
    const operation = { workspaceId, principalId: newId(), operationId: newId(), command: 'do', fingerprint: 'x' };
    const at = toInstant(new Date().toISOString());
    const refuse = (message: string): Promise<Outcome> =>
      Transaction.run(em, (transaction) =>
        insteadRefuse(transaction, operation, { kind: 'refused', code: 'INVALID_STATE', message }, at),
      );
    expect(await refuse('first')).toMatchObject({ message: 'first' });
    expect(await refuse('second')).toMatchObject({ message: 'first' });
  });

  // Postgres says which of the two has the clock first.
  it('another copy of the operation may be decided: then that is its outcome, for both', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    const { command, reached, release } = slowToRefuse();
    const late = runner.run(command, { name: 'a' }, origin, operationId);
    await reached;
    const copy = new CommandRunner({ em: elsewhere }).run(command, { name: 'a' }, origin, operationId);
    await queued();
    release();
    const [first, second] = await Promise.allSettled([late, copy]);
    expect(first).toEqual(second);
    expect(await counts(em, workspaceId)).toEqual(first.status === 'fulfilled' ? ONCE : REFUSED);
  });

  it('another operation with its id may be decided: the later one is told so', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    const { command, reached, release } = slowToRefuse();
    const late = runner.run(command, { name: 'a' }, origin, operationId);
    await reached;
    const other = new CommandRunner({ em: elsewhere }).run(makeThing, { name: 'other' }, origin, operationId);
    await queued();
    release();
    const outcomes = await Promise.allSettled([late, other]);
    const codes = outcomes.map((each) => (each.status === 'rejected' ? (each.reason as DomainError).code : null));
    expect(codes.filter((code) => code === 'IDEMPOTENCY_KEY_REUSED')).toHaveLength(1);
    expect(await counts(em, workspaceId)).toEqual(codes[1] === null ? ONCE : REFUSED);
  });

  it('the connection may end: nobody is told of a refusal, and a retry is decided anew', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    let refused = true;
    const command = defineCommand('makeThing', {
      who: ANYBODY,
      decide: async (tx, { name }: { name: string }) => {
        const made = make(tx, name);
        if (!refused) return made;
        const [backend] = await tx.read(sql`select ${as('pid', 'int', sql`pg_backend_pid()`)}`);
        await read(elsewhere, sql`select pg_terminate_backend(${backend!.pid})`);
        throw refusal();
      },
    });
    const run = (): Promise<unknown> => runner.run(command, { name: 'a' }, origin, operationId);
    await expect(run()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    refused = false;
    await run();
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });
});

describe('whoever no longer may', () => {
  it('is refused a replay too, and gets it when they may again', async () => {
    const [principalId, operationId] = [newId(), newId()];
    const as = (role: 'admin' | 'viewer', scopes?: ['read', 'timesheets:write']) =>
      runner.run(makeThing, { name: 'a' }, originOf(workspaceId, principalId, scopes, role), operationId);
    const first = await as('admin');
    await expect(as('viewer')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    await expect(as('admin', ['read', 'timesheets:write'])).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await as('admin')).toEqual(first);
  });

  it('leaves no trace of having asked, so that the operation is decided once they may', async () => {
    const [principalId, operationId] = [newId(), newId()];
    const run = (role: 'admin' | 'viewer') =>
      runner.run(makeThing, { name: 'a' }, originOf(workspaceId, principalId, undefined, role), operationId);
    await expect(run('viewer')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    await run('admin');
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('has no event applied for them', async () => {
    const origin = originOf(workspaceId, undefined, undefined, 'viewer');
    const apply = runner.apply(makeThing, { name: 'a' }, await eventIn(em, workspaceId), origin);
    await expect(apply).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
  });
});
