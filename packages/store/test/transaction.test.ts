import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '@payroll/kernel';
import { as, CommandRunner, defineCommand, read, sql, verbatim } from '@payroll/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ThingDatabase, ThingTable } from './databases.js';
import { ANYBODY, counts, eventIn, make, makeThing, NOTHING, ONCE, originOf } from './things.js';

let database: ThingDatabase;
let em: EntityManager;
let elsewhere: EntityManager;
let runner: CommandRunner;
let workspaceId: string;

beforeAll(async () => {
  database = await ThingDatabase.open('store_transaction');
  [em, elsewhere] = [await database.process(), await database.process()];
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  runner = new CommandRunner({ em });
});

type Tx = Parameters<Awaited<ReturnType<typeof makeThing.begin>>>[0];

/** Makes a thing and then does something else in the same transaction. */
const makeAnd = (what: (tx: Tx) => unknown) =>
  defineCommand('makeThing', {
    who: ANYBODY,
    decide: async (tx, { name }: { name: string }) => {
      const made = make(tx, name);
      await what(tx);
      return made;
    },
  });

const run = (what: (tx: Tx) => unknown, operationId = newId()): Promise<unknown> =>
  runner.run(makeAnd(what), { name: 'a' }, originOf(workspaceId), operationId);

async function backendOf(tx: Tx): Promise<number> {
  const [backend] = await tx.read(sql`select ${as('pid', 'int', sql`pg_backend_pid()`)}`);
  return backend!.pid;
}

async function busyConnections(): Promise<number> {
  const pool = await em.getConnection().getNativeClient();
  return pool.totalCount - pool.idleCount;
}

describe('a command whose write fails, though nobody waits for its answer,', () => {
  it.each([
    ['a value that Postgres refuses', (tx: Tx) => tx.write(sql`select ${'no number'}::int`)],
    ['a statement that Postgres cannot read', (tx: Tx) => tx.write(verbatim('nonsense'))],
    ['a constraint', (tx: Tx) => tx.write(sql`insert into thing (id) values (${newId()})`)],
    [
      'a statement that is cancelled',
      (tx: Tx) => tx.write(sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(5)`),
    ],
    ['a session that is ended', (tx: Tx) => tx.write(sql`select pg_terminate_backend(pg_backend_pid())`)],
    ['a time-out', (tx: Tx) => tx.write(sql`select set_config('statement_timeout', '10', true), pg_sleep(5)`)],
  ])('by %s, has written nothing and is not applied', async (_why, fail) => {
    const operationId = newId();
    await expect(run(fail, operationId)).rejects.toThrow();
    expect(await counts(elsewhere, workspaceId)).toEqual(NOTHING);
    // The connection is not used again, and another serves.
    await run(() => undefined, operationId);
    expect(await counts(elsewhere, workspaceId)).toEqual(ONCE);
    await expect.poll(busyConnections).toBe(0);
  });

  it('as its value cannot be sent, has written nothing', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(run((tx) => tx.write(sql`select ${circular}::jsonb`))).rejects.toThrow(/circular/);
    expect(await counts(elsewhere, workspaceId)).toEqual(NOTHING);
    await run(() => undefined);
    expect(await counts(elsewhere, workspaceId)).toEqual(ONCE);
  });

  it('swallows the failure of a read, and is not committed all the same', async () => {
    const swallow = (tx: Tx) => tx.read(sql`select 1 / ${0}::int`).catch(() => undefined);
    await expect(run(swallow)).rejects.toMatchObject({ code: '22012' });
    expect(await counts(elsewhere, workspaceId)).toEqual(NOTHING);
  });
});

it('a session that ends between the two writes of a command leaves nothing, and the command can be sent again', async () => {
  const operationId = newId();
  const end = async (tx: Tx): Promise<void> => {
    await read(elsewhere, sql`select pg_terminate_backend(${await backendOf(tx)})`);
  };
  await expect(run(end, operationId)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await counts(elsewhere, workspaceId)).toEqual(NOTHING);
  await run(() => undefined, operationId);
  expect(await counts(elsewhere, workspaceId)).toEqual(ONCE);
});

it('a transaction that Postgres ends because it takes too long leaves nothing', async () => {
  const dawdle = async (tx: Tx): Promise<void> => {
    tx.write(sql`select set_config('idle_in_transaction_session_timeout', '50', true)`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  };
  await expect(run(dawdle)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await counts(elsewhere, workspaceId)).toEqual(NOTHING);
});

it('an operation that a process of the version before refuses meanwhile is asked for again, and then is refused', async () => {
  const [origin, operationId] = [originOf(workspaceId), newId()];
  const kept = { kind: 'refused', code: 'INVALID_STATE', message: 'It is not open.' };
  const refuseElsewhere = async (): Promise<void> => {
    await read(
      elsewhere,
      sql`insert into applied_operation values (${workspaceId}, ${origin.actor.principalId}, ${operationId}, 'makeThing',
        ${hash('sha256', '{"name":"a"}', 'base64url')}, ${kept}, clock_timestamp())`,
    );
  };
  const again = (what: (tx: Tx) => unknown): Promise<unknown> =>
    runner.run(makeAnd(what), { name: 'a' }, origin, operationId);
  await expect(again(refuseElsewhere)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(again(() => undefined)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  expect(await counts(elsewhere, workspaceId)).toEqual({ ...NOTHING, applied_operation: 1 });
});

it('rows and entities of one command are written in one transaction', async () => {
  const thing = { id: newId(), workspaceId, name: 'row', createdAt: '', updatedAt: '' };
  const both = (tx: Tx): void => {
    tx.insert(ThingTable, { ...thing, createdAt: tx.now, updatedAt: tx.now });
  };
  await run(both);
  expect(await counts(elsewhere, workspaceId)).toEqual({ ...ONCE, thing: 2 });
  await expect(
    run(async (tx) => {
      both(tx);
      tx.write(sql`select 1 / ${0}::int`);
      await tx.flush();
    }),
  ).rejects.toThrow();
  expect(await counts(elsewhere, workspaceId)).toEqual({ ...ONCE, thing: 2 });
});

describe('events that are applied in one transaction', () => {
  const arrival = async (name: string) => ({
    command: makeThing,
    input: { name },
    event: await eventIn(em, workspaceId),
    origin: originOf(workspaceId),
  });

  it('are applied in their order, a microsecond apart, each once', async () => {
    const [first, second, third] = [await arrival('1'), await arrival('2'), await arrival('3')];
    expect(await runner.applyAll([first, second])).toEqual(['applied', 'applied']);
    expect(await runner.applyAll([second, third, third])).toEqual(['replayed', 'applied', 'replayed']);
    const rows = await read(
      elsewhere,
      sql`select ${as('name', 'text', sql`name`)}, ${as('at', 'timestamptz', sql`created_at`)}
        from thing where workspace_id = ${workspaceId} order by created_at`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['1', '2', '3']);
    expect(new Set(rows.map(({ at }) => at)).size).toBe(3);
    expect(await counts(elsewhere, workspaceId)).toMatchObject({ thing: 3, inbox_event: 3, outbox_event: 3 });
  });

  it('that one of them fails, are all not applied', async () => {
    const bad = { ...(await arrival('bad')), command: makeAnd((tx) => tx.write(sql`select ${'no number'}::int`)) };
    await expect(runner.applyAll([await arrival('good'), bad, await arrival('good')])).rejects.toThrow();
    expect(await counts(elsewhere, workspaceId)).toEqual(NOTHING);
  });

  it('one of another history is left out', async () => {
    const lost = await arrival('lost');
    const strange = { ...lost, event: { ...lost.event, history: 'another' } };
    expect(await runner.applyAll([strange, await arrival('good')])).toEqual(['elsewhere', 'applied']);
    expect(await counts(elsewhere, workspaceId)).toMatchObject({ thing: 1, inbox_event: 1 });
  });

  it('by two processes at once in other orders, are applied once', async () => {
    const arrivals = await Promise.all(Array.from({ length: 20 }, (_, n) => arrival(`${n}`)));
    const other = new CommandRunner({ em: elsewhere });
    const came = await Promise.all([runner.applyAll(arrivals), other.applyAll(arrivals.toReversed())]);
    expect(came.flat().toSorted()).toEqual([
      ...Array<string>(20).fill('applied'),
      ...Array<string>(20).fill('replayed'),
    ]);
    expect(await counts(elsewhere, workspaceId)).toMatchObject({ thing: 20, inbox_event: 20 });
  });
});
