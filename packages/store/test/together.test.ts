import { newId, type DomainError } from '@payroll/kernel';
import { as, CommandRunner, read, sql } from '@payroll/store';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { renameBut, Renames, renaming } from './renames.js';
import { counts, originOf, refusal } from './things.js';

let base: Renames;
let scene: Renames;
beforeAll(async () => {
  base = await Renames.open('store_together');
});
afterAll(() => base[Symbol.asyncDispose]());
beforeEach(async () => {
  scene = await base.fresh();
});

it('are decided in one transaction, each at its own time, with its own outcome and event', async () => {
  expect(await scene.codesOf(scene.ids.map((id) => renaming(id)))).toEqual(scene.ids.map(() => 'done'));
  expect(await scene.names()).toEqual(scene.ids.map(() => 'renamed'));
  expect(await scene.transactions()).toBe(2);
  expect(scene.told.map(({ event }) => event.aboutId).toSorted()).toEqual(scene.ids.toSorted());
  expect(new Set(scene.told.map(({ event }) => event.occurredAt)).size).toBe(12);
  expect(await counts(scene.elsewhere, scene.workspaceId)).toMatchObject({ applied_operation: 24, outbox_event: 24 });
});

it('a refusal among them is its own, and stays when it is sent again', async () => {
  const inputs = scene.ids.map((id, n) => renaming(id, 'renamed', n % 3 === 1 ? 'something else' : 'new'));
  const operations = inputs.map(newId);
  const expected = inputs.map((_, n) => (n % 3 === 1 ? 'INVALID_STATE' : 'done'));
  expect(await scene.codesOf(inputs, renameBut(), operations)).toEqual(expected);
  expect((await scene.names()).filter((name) => name === 'renamed')).toHaveLength(8);
  expect(scene.told).toHaveLength(8);
});

it('that decide on one row, however its id is spelt, are decided one after the other', async () => {
  const [first, second] = [scene.ids[0]!, scene.ids[1]!];
  const inputs = [first, second, second.toUpperCase(), second, first].map((id, n) => renaming(id, `by ${n}`));
  const codes = await scene.codesOf(inputs);
  expect(codes).toEqual(['done', 'done', 'INVALID_STATE', 'INVALID_STATE', 'INVALID_STATE']);
  expect((await scene.names()).slice(0, 2)).toEqual(['by 0', 'by 1']);
  expect(scene.told).toHaveLength(2);
});

it('copies of one operation among them are one, with one answer', async () => {
  const copy = newId();
  const inputs = [scene.ids[0]!, scene.ids[1]!, scene.ids[1]!, scene.ids[1]!, scene.ids[2]!].map((id) => renaming(id));
  expect(await scene.codesOf(inputs, renameBut(), [newId(), copy, copy, copy, newId()])).toEqual(
    inputs.map(() => 'done'),
  );
  expect(scene.told).toHaveLength(3);
});

it('an id that was used for something else is refused alone, also where both are among them', async () => {
  const inputs = scene.ids.slice(0, 6).map((id) => renaming(id));
  const [used, twice] = [newId(), newId()];
  await scene.codesOf([renaming(scene.ids[11]!)], renameBut(), [used]);
  const principal = newId();
  const run = (input: (typeof inputs)[number], operationId: string): Promise<unknown> =>
    scene.runner.run(renameBut(), input, originOf(scene.workspaceId, principal), operationId);
  await run(renaming(scene.ids[10]!), used);
  const ids = [newId(), newId(), twice, used, twice, newId()];
  const outcomes = await Promise.allSettled(inputs.map((input, n) => run(input, ids[n]!)));
  const codes = outcomes.map((each) => (each.status === 'rejected' ? (each.reason as DomainError).code : 'done'));
  const reused = 'IDEMPOTENCY_KEY_REUSED';
  expect(codes).toEqual(['done', 'done', 'done', reused, reused, 'done']);
  expect((await scene.names()).filter((name) => name === 'renamed')).toHaveLength(6);
});

it('one that is refused when it is read for is refused so, alone and among others', async () => {
  const command = { ...renameBut(), begin: () => Promise.reject(refusal()) };
  expect(
    await scene.codesOf(
      scene.ids.map((id) => renaming(id)),
      command,
    ),
  ).toEqual(scene.ids.map(() => 'INVALID_STATE'));
  expect(await scene.transactions()).toBe(2);
});

it('what is sent again finds its outcome among others that are new', async () => {
  const principal = newId();
  const run = (n: number, operationId: string): Promise<unknown> =>
    scene.runner.run(renameBut(), renaming(scene.ids[n]!), originOf(scene.workspaceId, principal), operationId);
  const again = newId();
  const first = await run(0, again);
  const [, replayed] = await Promise.all([run(1, newId()), run(0, again), run(2, newId())]);
  expect(replayed).toEqual(JSON.parse(JSON.stringify(first)));
  expect(scene.told).toHaveLength(3);
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
  const inputs = scene.ids.map((id, n) => renaming(id, ['fine', 'fine', 'fails', 'mistaken', 'late'][n] ?? 'fine'));
  const codes = await scene.codesOf(inputs, broken);
  expect(codes).toEqual(['done', 'done', '22P02', undefined, 'INVALID_STATE', ...Array<string>(7).fill('done')]);
  expect(await scene.names()).toEqual(['fine', 'fine', 'new', 'new', 'new', ...Array<string>(7).fill('fine')]);
  expect(scene.told).toHaveLength(9);
});

it('one that changes what its find has not named is decided in a transaction of its own', async () => {
  const byAll = renameBut((tx) => tx.write(sql`update thing set name = name where workspace_id = ${tx.workspaceId}`));
  expect(
    await scene.codesOf(
      scene.ids.map((id) => renaming(id)),
      byAll,
    ),
  ).toEqual(scene.ids.map(() => 'done'));
  expect(await scene.names()).toEqual(scene.ids.map(() => 'renamed'));
  expect(scene.told).toHaveLength(12);
});

it('a connection that ends among them leaves none of them, and each can be sent again', async () => {
  let ends = true;
  const command = renameBut(async (tx, { name }) => {
    if (name !== 'ends' || !ends) return;
    ends = false;
    const [backend] = await tx.read(sql`select ${as('pid', 'int', sql`pg_backend_pid()`)}`);
    await read(scene.elsewhere, sql`select pg_terminate_backend(${backend!.pid})`);
  });
  const inputs = scene.ids.slice(0, 5).map((id, n) => renaming(id, n === 3 ? 'ends' : 'fine'));
  const operations = inputs.map(newId);
  const principal = newId();
  const all = () =>
    Promise.allSettled(
      inputs.map((input, n) => scene.runner.run(command, input, originOf(scene.workspaceId, principal), operations[n])),
    );
  const outcomes = await all();
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', ...Array<string>(4).fill('rejected')]);
  for (const each of outcomes.slice(1)) expect(each).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  expect((await scene.names()).filter((name) => name !== 'new')).toEqual(['fine']);
  expect((await all()).every(({ status }) => status === 'fulfilled')).toBe(true);
  expect((await scene.names()).filter((name) => name !== 'new')).toHaveLength(5);
  expect(scene.told).toHaveLength(5);
});

it('two processes at once decide each once', async () => {
  const other = new CommandRunner({ em: scene.elsewhere });
  const principal = newId();
  const operations = scene.ids.map(newId);
  const runAll = (by: CommandRunner, all: readonly string[]) =>
    Promise.all(
      all.map((id) =>
        by.run(renameBut(), renaming(id), originOf(scene.workspaceId, principal), operations[scene.ids.indexOf(id)]),
      ),
    );
  const [here, there] = await Promise.all([runAll(scene.runner, scene.ids), runAll(other, scene.ids.toReversed())]);
  expect(JSON.parse(JSON.stringify(there.toReversed()))).toEqual(JSON.parse(JSON.stringify(here)));
  expect(await counts(scene.elsewhere, scene.workspaceId)).toMatchObject({ applied_operation: 24, outbox_event: 24 });
});
