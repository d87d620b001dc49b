import type { EntityManager } from '@mikro-orm/postgresql';
import { newId, type DomainError } from '@payroll/kernel';
import {
  as,
  CommandRunner,
  defineCommand,
  read,
  readHistory,
  sql,
  type Claimed,
  type CommandTransaction,
} from '@payroll/store';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ThingDatabase, ThingTable } from './databases.js';
import { ANYBODY, counts, make, originOf, refusal } from './things.js';

let database: ThingDatabase;
let em: EntityManager;
let elsewhere: EntityManager;
let told: Claimed[];
let runner: CommandRunner;
let workspaceId: string;
/** The things that are renamed. */
let ids: string[];

beforeAll(async () => {
  database = await ThingDatabase.open('store_together');
  [em, elsewhere] = [await database.process(), await database.process()];
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  workspaceId = newId();
  told = [];
  const deliver = (events: readonly Claimed[]): Promise<void> => Promise.resolve(void told.push(...events));
  runner = new CommandRunner({ em, relay: { isOpen: true, deliver } });
  const makeOne = defineCommand('makeThing', ANYBODY, (tx, { name }: { name: string }) => make(tx, name));
  ids = [];
  for (let n = 0; n < 12; n++) ids.push((await runner.run(makeOne, { name: 'new' }, originOf(workspaceId))).id);
  told = [];
});

type Renaming = { id: string; name: string; expected: string };

/** Like an approval: only what still has the expected name is renamed, and that is told. */
const renameBut = (meddle: (tx: CommandTransaction, input: Renaming) => unknown = () => undefined) =>
  defineCommand(
    'rename',
    ANYBODY,
    async (rows, { id }: Renaming) => (await rows.lock(ThingTable, id))!,
    async (tx, input, thing) => {
      await meddle(tx, input);
      if (thing.name !== input.expected) throw refusal();
      const renamed = tx.update(ThingTable, thing, { name: input.name, updatedAt: tx.now });
      const consumers = ['review'];
      tx.emit({ type: 'thing.renamed', aboutId: thing.id, body: { name: input.name }, consumers });
      return renamed;
    },
  );

type Rename = ReturnType<typeof renameBut>;

/** All at once: the first goes alone, the others share a transaction. */
async function codesOf(inputs: readonly Renaming[], command: Rename = renameBut(), operations = inputs.map(newId)) {
  const principal = newId();
  const run = (input: Renaming, n: number): Promise<unknown> =>
    runner.run(command, input, originOf(workspaceId, principal), operations[n]);
  const outcomes = await Promise.allSettled(inputs.map(run));
  return outcomes.map((each) => (each.status === 'rejected' ? (each.reason as DomainError).code : 'done'));
}

const renaming = (id: string, name = 'renamed', expected = 'new'): Renaming => ({ id, name, expected });

async function names(): Promise<string[]> {
  const rows = await read(
    elsewhere,
    sql`select ${as('name', 'text', sql`name`)} from thing where workspace_id = ${workspaceId} order by id`,
  );
  return rows.map(({ name }) => name);
}

async function transactions(): Promise<number> {
  const [row] = await read(
    elsewhere,
    sql`select ${as('count', 'int', sql`count(distinct xmin::text)`)} from thing where workspace_id = ${workspaceId}`,
  );
  return row!.count;
}

it('are decided in one transaction, each at its own time, with its own outcome and event', async () => {
  expect(await codesOf(ids.map((id) => renaming(id)))).toEqual(ids.map(() => 'done'));
  expect(await names()).toEqual(ids.map(() => 'renamed'));
  expect(await transactions()).toBe(2);
  expect(told.map(({ event }) => event.aboutId).toSorted()).toEqual(ids.toSorted());
  expect(new Set(told.map(({ event }) => event.occurredAt)).size).toBe(12);
  expect(await counts(elsewhere, workspaceId)).toMatchObject({ applied_operation: 24, outbox_event: 24 });
});

it('a refusal among them is its own, and stays when it is sent again', async () => {
  const inputs = ids.map((id, n) => renaming(id, 'renamed', n % 3 === 1 ? 'something else' : 'new'));
  const operations = inputs.map(newId);
  const expected = inputs.map((_, n) => (n % 3 === 1 ? 'INVALID_STATE' : 'done'));
  expect(await codesOf(inputs, renameBut(), operations)).toEqual(expected);
  expect((await names()).filter((name) => name === 'renamed')).toHaveLength(8);
  expect(told).toHaveLength(8);
});

it('that decide on one row, however its id is spelt, are decided one after the other', async () => {
  const [first, second] = [ids[0]!, ids[1]!];
  const inputs = [first, second, second.toUpperCase(), second, first].map((id, n) => renaming(id, `by ${n}`));
  const codes = await codesOf(inputs);
  expect(codes).toEqual(['done', 'done', 'INVALID_STATE', 'INVALID_STATE', 'INVALID_STATE']);
  expect((await names()).slice(0, 2)).toEqual(['by 0', 'by 1']);
  expect(told).toHaveLength(2);
});

it('copies of one operation among them are one, with one answer', async () => {
  const copy = newId();
  const inputs = [ids[0]!, ids[1]!, ids[1]!, ids[1]!, ids[2]!].map((id) => renaming(id));
  expect(await codesOf(inputs, renameBut(), [newId(), copy, copy, copy, newId()])).toEqual(inputs.map(() => 'done'));
  expect(told).toHaveLength(3);
});

it('what is sent again finds its outcome among others that are new', async () => {
  const principal = newId();
  const run = (n: number, operationId: string): Promise<unknown> =>
    runner.run(renameBut(), renaming(ids[n]!), originOf(workspaceId, principal), operationId);
  const again = newId();
  const first = await run(0, again);
  const [, replayed] = await Promise.all([run(1, newId()), run(0, again), run(2, newId())]);
  expect(replayed).toEqual(JSON.parse(JSON.stringify(first)));
  expect(told).toHaveLength(3);
});

it('one that fails takes no other along, nor does a refusal after something was written', async () => {
  const broken = renameBut((tx, { name }) => {
    if (name === 'fails') tx.write(sql`select ${'no number'}::int`);
    if (name === 'mistaken') throw new TypeError('a mistake of ours');
    if (name === 'late') {
      tx.write(sql`update thing set name = 'must not stay' where workspace_id = ${tx.workspaceId}`);
      throw refusal();
    }
  });
  const inputs = ids.map((id, n) => renaming(id, ['fine', 'fine', 'fails', 'mistaken', 'late'][n] ?? 'fine'));
  const codes = await codesOf(inputs, broken);
  expect(codes).toEqual(['done', 'done', '22P02', undefined, 'INVALID_STATE', ...Array<string>(7).fill('done')]);
  expect(await names()).toEqual(['fine', 'fine', 'new', 'new', 'new', ...Array<string>(7).fill('fine')]);
  expect(told).toHaveLength(9);
});

it('one that changes what its find has not named is decided in a transaction of its own', async () => {
  const byAll = renameBut((tx) => tx.write(sql`update thing set name = name where workspace_id = ${tx.workspaceId}`));
  expect(
    await codesOf(
      ids.map((id) => renaming(id)),
      byAll,
    ),
  ).toEqual(ids.map(() => 'done'));
  expect(await names()).toEqual(ids.map(() => 'renamed'));
  expect(told).toHaveLength(12);
});

it('a connection that ends among them leaves none of them, and each can be sent again', async () => {
  let ends = true;
  const command = renameBut(async (tx, { name }) => {
    if (name !== 'ends' || !ends) return;
    ends = false;
    const [backend] = await tx.read(sql`select ${as('pid', 'int', sql`pg_backend_pid()`)}`);
    await read(elsewhere, sql`select pg_terminate_backend(${backend!.pid})`);
  });
  const inputs = ids.slice(0, 5).map((id, n) => renaming(id, n === 3 ? 'ends' : 'fine'));
  const operations = inputs.map(newId);
  const principal = newId();
  const all = () =>
    Promise.allSettled(
      inputs.map((input, n) => runner.run(command, input, originOf(workspaceId, principal), operations[n])),
    );
  const outcomes = await all();
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', ...Array<string>(4).fill('rejected')]);
  for (const each of outcomes.slice(1)) expect(each).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  expect((await names()).filter((name) => name !== 'new')).toEqual(['fine']);
  expect((await all()).every(({ status }) => status === 'fulfilled')).toBe(true);
  expect((await names()).filter((name) => name !== 'new')).toHaveLength(5);
  expect(told).toHaveLength(5);
});

it('two processes at once decide each once', async () => {
  const other = new CommandRunner({ em: elsewhere });
  const principal = newId();
  const operations = ids.map(newId);
  const runAll = (by: CommandRunner, all: readonly string[]) =>
    Promise.all(
      all.map((id) => by.run(renameBut(), renaming(id), originOf(workspaceId, principal), operations[ids.indexOf(id)])),
    );
  const [here, there] = await Promise.all([runAll(runner, ids), runAll(other, ids.toReversed())]);
  expect(JSON.parse(JSON.stringify(there.toReversed()))).toEqual(JSON.parse(JSON.stringify(here)));
  expect(await counts(elsewhere, workspaceId)).toMatchObject({ applied_operation: 24, outbox_event: 24 });
});

it('one that was noted in another history of the database is refused alone, the others are done', async () => {
  const here = await readHistory(em);
  const inputs = ids.slice(0, 6).map((id) => ({ id, name: 'renamed', expected: 'new' }));
  const outcomes = await Promise.allSettled(
    inputs.map((input, n) =>
      runner.run(renameBut(), input, { ...originOf(workspaceId), history: n === 3 ? 'another' : here }, newId()),
    ),
  );
  const codes = outcomes.map((each) => (each.status === 'rejected' ? (each.reason as DomainError).code : 'done'));
  expect(codes).toEqual(['done', 'done', 'done', 'SERVICE_UNAVAILABLE', 'done', 'done']);
});
