import { readGeneration } from '@payroll/store';
import { afterAll, expect, it } from 'vitest';
import { thingSchema } from './databases.js';
import { TestDatabase } from '../../store/test/databases.js';

const database = await TestDatabase.open('store_history', thingSchema);
afterAll(() => database[Symbol.asyncDispose]());

it('is the same for all processes, and unchanged by their writes', async () => {
  const [one, other] = [await database.process(), await database.process()];
  const before = await readGeneration(one);
  expect(before).toMatch(/^[0-9a-f]{32}$/);
  await one.execute('insert into change_clock values (gen_random_uuid(), now())');
  expect([await readGeneration(one), await readGeneration(other)]).toEqual([before, before]);
});

it('differs in a database that another process made from the same rows', async () => {
  await using other = await TestDatabase.open('store_history_other', thingSchema);
  expect(await readGeneration(await other.process())).not.toBe(await readGeneration(await database.process()));
});

// As after pg_restore --clean, and after a data-only restore: the server was not restarted, and the database has the
// same name.
it.each([
  'create table contracts.copy (like contracts.outbox_event including all); drop table contracts.outbox_event cascade; alter table contracts.copy rename to outbox_event',
  'truncate contracts.outbox_event cascade',
])("changes when the outbox's rows are replaced: %s", async (statement) => {
  const em = await database.process();
  const before = await readGeneration(em);
  await database.asOwner(async (owner) => void (await owner.em.execute(statement)));
  expect(await readGeneration(em)).not.toBe(before);
});
