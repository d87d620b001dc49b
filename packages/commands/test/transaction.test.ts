import { type CommandTransaction, Commands } from '@payroll/commands';
import { newId } from '@payroll/kernel';
import { read, sql, rawSql } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { thingSchema } from './databases.js';
import { TestDatabase } from '../../store/test/databases.js';
import { counts, eventIn, lockWaited, makeAnd, makeThing, NOTHING, ONCE, originOf } from './things.js';

let commands: Commands;
let workspaceId: string;

const database = await TestDatabase.open('commands_transaction', thingSchema);
const [em, otherEm] = [await database.process(), await database.process()];
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  commands = new Commands({ em });
});

type Tx = CommandTransaction;

const run = (what: (tx: Tx) => unknown, operationId = newId()): Promise<unknown> =>
  commands.run(makeAnd(what), { name: 'a' }, { ...originOf(workspaceId), operationId });

async function backendOf(tx: Tx): Promise<number> {
  const [backend] = await tx.read(sql`select ${rawSql<{ pid: number }>('pg_backend_pid() as pid')}`);
  return backend!.pid;
}

async function busyConnections(): Promise<number> {
  const pool = await em.getConnection().getNativeClient();
  return pool.totalCount - pool.idleCount;
}

/**
 * Fails the next BEGIN of a pool as Postgres does when it cancels one: the statements sent after it are still executed.
 */
async function failNextBegin(error: Error): Promise<void> {
  const pool = await em.getConnection().getNativeClient();
  const client = await pool.connect();
  const query = client.query.bind(client) as (text: unknown) => Promise<unknown>;
  client.query = ((text: unknown) => {
    if (text !== 'begin') return query(text);
    client.query = query as never;
    return Promise.reject(error);
  }) as never;
  client.release();
}

describe('a BEGIN that fails, with statements sent behind it,', () => {
  const cancelled = (): Error => Object.assign(new Error('canceling statement due to user request'), { code: '57014' });

  it('leaves no row of a command, which is applied when sent again', async () => {
    const operationId = newId();
    await failNextBegin(cancelled());
    await expect(run(() => undefined, operationId)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await counts(otherEm, workspaceId)).toEqual(NOTHING);
    await run(() => undefined, operationId);
    expect(await counts(otherEm, workspaceId)).toEqual(ONCE);
  });

  it('leaves no row of an event, which is applied when delivered again', async () => {
    const event = await eventIn(em, workspaceId);
    await failNextBegin(cancelled());
    await expect(commands.apply(makeThing, event)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await counts(otherEm, workspaceId)).toEqual(NOTHING);
    expect(await commands.apply(makeThing, event)).toBe('applied');
    expect(await counts(otherEm, workspaceId)).toEqual(ONCE);
  });
});

describe('a command whose write fails without being awaited', () => {
  it.each([
    ['a value that Postgres refuses', (tx: Tx) => tx.write(sql`select ${'no number'}::int`)],
    ['a statement that Postgres cannot read', (tx: Tx) => tx.write(rawSql('nonsense'))],
    ['a constraint', (tx: Tx) => tx.write(sql`insert into thing (id) values (${newId()})`)],
    ['a cancelled statement', (tx: Tx) => tx.write(sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(5)`)],
    ['a session that is ended', (tx: Tx) => tx.write(sql`select pg_terminate_backend(pg_backend_pid())`)],
    ['a time-out', (tx: Tx) => tx.write(sql`select set_config('statement_timeout', '10', true), pg_sleep(5)`)],
  ])('by %s, has written nothing and is not applied', async (_why, fail) => {
    const operationId = newId();
    await expect(run(fail, operationId)).rejects.toThrow();
    expect(await counts(otherEm, workspaceId)).toEqual(NOTHING);
    // The connection is not reused; another one serves the retry.
    await run(() => undefined, operationId);
    expect(await counts(otherEm, workspaceId)).toEqual(ONCE);
    await expect.poll(busyConnections).toBe(0);
  });

  it('because its value cannot be serialized has written no row', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(run((tx) => tx.write(sql`select ${circular}::jsonb`))).rejects.toThrow(/circular/);
    expect(await counts(otherEm, workspaceId)).toEqual(NOTHING);
    await run(() => undefined);
    expect(await counts(otherEm, workspaceId)).toEqual(ONCE);
  });

  it('and that catches a failed read is not committed', async () => {
    const swallow = (tx: Tx) => tx.read(sql`select 1 / ${0}::int`).catch(() => undefined);
    await expect(run(swallow)).rejects.toMatchObject({ code: '22012' });
    expect(await counts(otherEm, workspaceId)).toEqual(NOTHING);
  });
});

it('a session that ends between the two writes leaves no row, and the command can be sent again', async () => {
  const operationId = newId();
  const end = async (tx: Tx): Promise<void> => {
    await read(otherEm, sql`select pg_terminate_backend(${await backendOf(tx)})`);
  };
  await expect(run(end, operationId)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await counts(otherEm, workspaceId)).toEqual(NOTHING);
  await run(() => undefined, operationId);
  expect(await counts(otherEm, workspaceId)).toEqual(ONCE);
});

it('a transaction that Postgres ends because it takes too long leaves no row', async () => {
  const dawdle = async (tx: Tx): Promise<void> => {
    tx.write(sql`select set_config('idle_in_transaction_session_timeout', '50', true)`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  };
  await expect(run(dawdle)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await counts(otherEm, workspaceId)).toEqual(NOTHING);
});

it('a command that runs another one and waits for it fails at once, because both would deadlock', async () => {
  const nested = (): Promise<unknown> => commands.run(makeThing, { name: 'b' }, originOf(workspaceId));
  await expect(run(nested)).rejects.toThrow('A command runs another one');
  expect(await counts(otherEm, workspaceId)).toEqual(NOTHING);
});

it('the commands of a busy workspace hold one connection of the pool', async () => {
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = run(async () => {
    reached.resolve();
    await goOn.promise;
  });
  await reached.promise;
  const others = Array.from({ length: 20 }, () => run(() => undefined));
  expect(await busyConnections()).toBe(1);
  await new Commands({ em }).run(makeThing, { name: 'quick' }, originOf(newId()));
  goOn.resolve();
  await Promise.all([held, ...others]);
  expect(await counts(otherEm, workspaceId)).toMatchObject({ thing: 21 });
});

it("waits for a lock no longer than the role's lock_timeout", async () => {
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = run(async () => {
    reached.resolve();
    await goOn.promise;
  });
  await reached.promise;
  const other = new Commands({ em: otherEm }).run(makeThing, { name: 'b' }, originOf(workspaceId));
  await lockWaited(em);
  await expect(other).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: { code: '55P03' } });
  goOn.resolve();
  await held;
});
