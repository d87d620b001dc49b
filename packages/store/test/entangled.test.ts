import { newId } from '@payroll/kernel';
import { defineCommand, sql, type CommandTransaction } from '@payroll/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ThingTable } from './databases.js';
import { renameBut, Renames, renaming, type Renaming } from './renames.js';
import { ANYBODY, counts, make, makeThing, originOf, refusal } from './things.js';

let base: Renames;
let scene: Renames;
let all: Renaming[];
beforeAll(async () => {
  base = await Renames.open('store_entangled');
});
afterAll(() => base[Symbol.asyncDispose]());
beforeEach(async () => {
  scene = await base.fresh();
  all = scene.ids.map((id) => renaming(id));
});

const DONE = Array<string>(12).fill('done');

const another = (tx: CommandTransaction) => ({
  id: newId(),
  workspaceId: tx.workspaceId,
  name: 'another',
  createdAt: tx.now,
  updatedAt: tx.now,
});

describe('commands that come together share a transaction', () => {
  it('where they are of a kind that may', async () => {
    expect(await scene.codesOf(all)).toEqual(DONE);
    expect(await scene.transactions()).toBe(2);
  });

  it('also those that are refused before they have written', async () => {
    const inputs = scene.ids.map((id, n) => renaming(id, 'renamed', n % 2 === 1 ? 'something else' : 'new'));
    await scene.codesOf(inputs);
    expect(await scene.transactions()).toBe(2);
  });

  it('also those that write new rows', async () => {
    const adding = renameBut((tx) => tx.insert(ThingTable, another(tx)));
    expect(await scene.codesOf(all, adding)).toEqual(DONE);
    expect(await scene.transactions()).toBe(2);
    expect(await counts(scene.em, scene.workspaceId)).toMatchObject({ thing: 24 });
  });
});

describe('a command is decided in a transaction of its own', () => {
  it.each<[string, (tx: CommandTransaction, input: Renaming) => unknown]>([
    ['that runs a statement', (tx, { id }) => tx.write(sql`update thing set name = name where id = ${id}`)],
    ['that changes a row which it has not named', (tx) => tx.update(ThingTable, another(tx), { name: 'else' })],
    ['that removes a row which it has not named', (tx) => tx.remove(ThingTable, another(tx))],
  ])('%s', async (_what, meddle) => {
    expect(await scene.codesOf(all, renameBut(meddle))).toEqual(DONE);
    expect(await scene.transactions()).toBe(12);
  });

  it('that reads by a statement what it decides on', async () => {
    const byStatement = defineCommand('rename', {
      who: ANYBODY,
      find: (rows, { id }: Renaming) => rows.read(sql`select id from thing where id = ${id}`),
      decide: (tx, { id }) => make(tx, id),
    });
    expect(await scene.codesOf(all, byStatement as never)).toEqual(DONE);
    expect(await scene.transactions()).toBe(12);
  });

  it('that is one of two, as only one waits for the other', async () => {
    expect(await scene.codesOf(all.slice(0, 2))).toEqual(['done', 'done']);
    expect(await scene.transactions()).toBe(2);
  });

  it('whose kind does not say what it reads', async () => {
    const rename = { ...makeThing, name: 'rename' };
    const run = () => scene.runner.run(rename, { name: 'a' }, originOf(scene.workspaceId));
    await Promise.all(Array.from({ length: 6 }, run));
    expect(await scene.transactions()).toBe(6);
  });
});

it.each<[string, (tx: CommandTransaction, input: Renaming) => unknown]>([
  ['a new row', (tx) => tx.insert(ThingTable, another(tx))],
  ['an event', (tx) => tx.emit({ type: 'thing.made', aboutId: newId(), body: {}, consumers: ['review'] })],
  ['the audit trail', (tx, { id }) => tx.audit('thing.made', id, {})],
  ['entities', (tx) => tx.em.persist(tx.em.create(ThingTable, another(tx)))],
])('a refusal after it has written %s takes that back, and nothing of the others', async (_what, write) => {
  const broken = renameBut((tx, input) => {
    if (input.name !== 'late') return;
    write(tx, input);
    throw refusal();
  });
  const inputs = scene.ids.map((id, n) => renaming(id, n === 5 ? 'late' : 'renamed'));
  const expected = DONE.map((done, n) => (n === 5 ? 'INVALID_STATE' : done));
  const before = await counts(scene.em, scene.workspaceId);
  expect(await scene.codesOf(inputs, broken)).toEqual(expected);
  expect(await counts(scene.em, scene.workspaceId)).toEqual({
    ...before,
    applied_operation: before['applied_operation']! + 12,
    outbox_event: before['outbox_event']! + 11,
  });
});
