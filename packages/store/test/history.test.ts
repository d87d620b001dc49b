import { newId } from '@payroll/kernel';
import { CommandRunner, readHistory } from '@payroll/store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ThingDatabase } from './databases.js';
import { counts, makeThing, NOTHING, ONCE, originOf } from './things.js';

let database: ThingDatabase;
beforeAll(async () => {
  database = await ThingDatabase.open('store_history');
});
afterAll(() => database[Symbol.asyncDispose]());

it('is the same for all processes, and goes on through their writes', async () => {
  const [one, other] = [await database.process(), await database.process()];
  const before = await readHistory(one);
  expect(before).toMatch(/^[0-9a-f]{32}$/);
  await one.execute('insert into change_clock values (gen_random_uuid(), now())');
  expect([await readHistory(one), await readHistory(other)]).toEqual([before, before]);
});

it('is another one in a database that another process made of the same rows', async () => {
  await using other = await ThingDatabase.open('store_history_other');
  expect(await readHistory(await other.process())).not.toBe(await readHistory(await database.process()));
});

it('an operation that was noted in another history of the database is neither applied nor kept in this one', async () => {
  const em = await database.process();
  const runner = new CommandRunner({ em });
  const workspaceId = newId();
  const [origin, operationId] = [originOf(workspaceId), newId()];
  const lost = { ...origin, history: 'of before the switch' };
  await expect(runner.run(makeThing, { name: 'a' }, lost, operationId)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(await counts(em, workspaceId)).toEqual(NOTHING);
  const here = { ...origin, history: await readHistory(em) };
  const made = await runner.run(makeThing, { name: 'a' }, here, operationId);
  // Nor is what it came to told to who asks for the other history.
  await expect(runner.run(makeThing, { name: 'a' }, lost, operationId)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(await runner.run(makeThing, { name: 'a' }, here, operationId)).toEqual(made);
  expect(await counts(em, workspaceId)).toEqual(ONCE);
});

// What pg_restore --clean and a restore of the data alone do, to a server that goes on and a database that keeps its name.
it.each([
  'create table contracts.copy (like contracts.outbox_event including all); drop table contracts.outbox_event; alter table contracts.copy rename to outbox_event',
  'truncate contracts.outbox_event',
])('is another one once the outbox is other rows: %s', async (statement) => {
  const em = await database.process();
  const before = await readHistory(em);
  await database.asOwner(async (owner) => void (await owner.em.execute(statement)));
  expect(await readHistory(em)).not.toBe(before);
});
