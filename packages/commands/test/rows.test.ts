import { Commands, defineCommand, type CommandTransaction } from '@payroll/commands';
import { newId, type Origin } from '@payroll/kernel';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { SharedThingTable, thingSchema, ThingTable } from './databases.js';
import { TestDatabase } from '../../store/test/databases.js';
import { ANYBODY, originOf } from './things.js';

let workspaceId: string;

const database = await TestDatabase.open('commands_rows', thingSchema);
const em = await database.process();
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
});

const run = <Result>(decide: (tx: CommandTransaction) => Result, origin: Origin = originOf(workspaceId)) =>
  new Commands({ em }).run(defineCommand('do', { who: ANYBODY, decide: (tx) => decide(tx) }), {}, origin);

const thing = (name: string) => ({ id: newId(), name });

describe('rows', () => {
  it('are written and found as the command returns them', async () => {
    const made = await run((tx) => tx.insert(ThingTable, thing('made')));
    const renamed = await run(async (tx) =>
      tx.update(ThingTable, (await tx.lock(ThingTable, made.id))!, { name: 'x' }),
    );
    expect(made).toMatchObject({ workspaceId, name: 'made', createdAt: made.updatedAt });
    expect(renamed).toEqual({ ...made, name: 'x' });
    expect(await run((tx) => tx.find(ThingTable, { id: made.id }))).toEqual(renamed);
    await run(async (tx) => tx.remove(ThingTable, (await tx.find(ThingTable, { name: 'x' }))!));
    expect(await run((tx) => tx.find(ThingTable, { id: made.id }))).toBeNull();
  });

  it('of another workspace or without an id are not found', async () => {
    const { id } = await run((tx) => tx.insert(ThingTable, thing('mine')));
    const stranger = originOf(newId());
    expect(await run((tx) => tx.lock(ThingTable, id), stranger)).toBeNull();
    expect(await run((tx) => tx.find(ThingTable, { id }), stranger)).toBeNull();
    expect(await run((tx) => tx.lock(ThingTable, 'no id'))).toBeNull();
    expect(await run((tx) => tx.all(ThingTable, { id }), stranger)).toEqual([]);
    // Not even if the command names that workspace.
    expect(await run((tx) => tx.find(ThingTable, { id, workspaceId }), stranger)).toBeNull();
    expect(await run((tx) => tx.all(ThingTable, { workspaceId }), stranger)).toEqual([]);
  });

  it('are found together, including rows that the command has just written', async () => {
    const things = await run(async (tx) => {
      for (const name of ['x', 'y', 'x']) tx.insert(ThingTable, thing(name));
      return await tx.all(ThingTable, { name: 'x' });
    });
    expect(things.map(({ name }) => name)).toEqual(['x', 'x']);
    expect(await run((tx) => tx.all(ThingTable, {}))).toHaveLength(3);
  });

  it('without a workspace are found from any', async () => {
    const shared = await run((tx) => tx.insert(SharedThingTable, { id: newId(), name: 'shared', goneAt: null }));
    const find = (tx: CommandTransaction) => tx.findAnywhere(SharedThingTable, { id: shared.id, goneAt: null });
    expect(await run(find, originOf(newId()))).toEqual(shared);
  });

  it("with a workspace cannot be searched across workspaces, by the table's type", async () => {
    const { id } = await run((tx) => tx.insert(ThingTable, thing('mine')));
    // @ts-expect-error: what it finds is another workspace's
    expect(await run((tx) => tx.findAnywhere(ThingTable, { id }), originOf(newId()))).toMatchObject({ workspaceId });
    const withoutWorkspace: readonly ((tx: CommandTransaction) => Promise<unknown>)[] = [
      // @ts-expect-error: its table has none
      (tx) => tx.find(SharedThingTable, { name: 'x' }),
      // @ts-expect-error: its table has none
      (tx) => tx.all(SharedThingTable, { name: 'x' }),
      // @ts-expect-error: its table has none
      (tx) => tx.lock(SharedThingTable, id),
    ];
    for (const look of withoutWorkspace) await expect(run(look)).rejects.toThrow('workspace_id');
  });

  it('are changed by `update`, which returns a new object and leaves the old one unchanged', async () => {
    const made = await run((tx) => tx.insert(ThingTable, thing('made')));
    const renamed = await run((tx) => tx.update(ThingTable, made, { name: 'x' }));
    expect([made.name, renamed.name]).toEqual(['made', 'x']);
    // @ts-expect-error: no caller would write it
    renamed.name = 'y';
    expect(await run((tx) => tx.find(ThingTable, { id: made.id }))).toMatchObject({ name: 'x' });
  });
});
