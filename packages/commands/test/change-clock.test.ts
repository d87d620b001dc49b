import type { EntityManager } from '@mikro-orm/postgresql';
import { isInstant, newId } from '@payroll/kernel';
import { Commands, defineCommand } from '@payroll/commands';
import { columns, read, sql } from '@payroll/store';
import { afterAll, expect, it } from 'vitest';
import { thingSchema, ThingTable } from './databases.js';
import { TestDatabase } from '../../store/test/databases.js';
import { ANYBODY, counts, make, makeThing, NOTHING, originOf } from './things.js';

const database = await TestDatabase.open('store_change_clock', thingSchema);
const [em, elsewhere] = [await database.process(), await database.process()];
const [runner, other] = [new Commands({ em }), new Commands({ em: elsewhere })];
afterAll(() => database[Symbol.asyncDispose]());

/** A command that has locked its workspace's clock and waits until it is released. */
function holding() {
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const command = defineCommand('hold', {
    who: ANYBODY,
    decide: async (tx, { name }: { name: string }) => {
      reached.resolve();
      await release.promise;
      return make(tx, name);
    },
  });
  return { command, reached: reached.promise, release: () => release.resolve() };
}

async function seenAt(reader: EntityManager, workspaceId: string): Promise<string[]> {
  const rows = await read(
    reader,
    sql`select ${columns(ThingTable, 'name')} from thing where workspace_id = ${workspaceId} order by updated_at`,
  );
  return rows.map(({ name }) => name);
}

it('30 concurrent commands of one workspace get 30 different times, and become visible in that order', async () => {
  const workspaceId = newId();
  const origin = originOf(workspaceId);
  const looks: string[][] = [];
  let done = false;
  const poll = (async () => {
    while (!done) looks.push(await seenAt(elsewhere, workspaceId));
  })();
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, n) => (n % 2 ? runner : other).run(makeThing, { name: `${n}` }, origin)),
  );
  done = true;
  await poll;
  expect(new Set(made.map(({ at }) => at)).size).toBe(30);
  expect(made.every(({ at }) => isInstant(at) && /\.\d{6}Z$/.test(at))).toBe(true);
  // Each snapshot must be a prefix of the final order: no row appears before one that was already visible.
  const final = await seenAt(em, workspaceId);
  expect(final).toHaveLength(30);
  for (const look of looks) expect(look).toEqual(final.slice(0, look.length));
});

it('consecutive commands get strictly increasing times', async () => {
  const origin = originOf(newId());
  const times: string[] = [];
  for (let n = 0; n < 10; n++) times.push((await runner.run(makeThing, { name: `${n}` }, origin)).at);
  expect(times).toEqual([...new Set(times)].toSorted());
});

it('the clock advances by a microsecond if it is ahead of the time of day', async () => {
  const workspaceId = newId();
  await em.fork().execute(`insert into change_clock values (?, '2999-12-31T23:59:58.999999Z')`, [workspaceId]);
  const made = await runner.run(makeThing, { name: 'a' }, originOf(workspaceId));
  expect(made.at).toBe('2999-12-31T23:59:59.000000Z');
});

it('a command of one workspace does not wait for one of another', async () => {
  const { command, reached, release } = holding();
  const [slow, quick] = [newId(), newId()];
  const held = runner.run(command, { name: 'slow' }, originOf(slow));
  await reached;
  await runner.run(makeThing, { name: 'quick' }, originOf(quick));
  expect(await seenAt(elsewhere, quick)).toEqual(['quick']);
  expect(await seenAt(elsewhere, slow)).toEqual([]);
  release();
  await held;
  expect(await seenAt(elsewhere, slow)).toEqual(['slow']);
});

it("a lock held longer than the role's lock_timeout is SERVICE_UNAVAILABLE, and a retry is applied", async () => {
  const { command, reached, release } = holding();
  const workspaceId = newId();
  const origin = originOf(workspaceId);
  const operationId = newId();
  const held = runner.run(command, { name: 'first' }, origin);
  await reached;
  const waiting = other.run(makeThing, { name: 'second' }, { ...origin, operationId });
  await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: { code: '55P03' } });
  expect(await counts(em, workspaceId)).toEqual(NOTHING);
  release();
  await held;
  await other.run(makeThing, { name: 'second' }, { ...origin, operationId });
  expect(await seenAt(em, workspaceId)).toEqual(['first', 'second']);
});
