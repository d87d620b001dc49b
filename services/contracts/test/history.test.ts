import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createContractDraft } from '../src/commands/contract-drafts.js';
import { Contracts, staff } from './support.js';

const contracts = await Contracts.open('contracts_history');
await contracts.run(createContractDraft, { title: 't' }, staff());
afterAll(() => contracts[Symbol.asyncDispose]());

it.each(['audit_entry', 'dead_letter'])("the service's database role cannot rewrite %s", async (table) => {
  const db = contracts.em.getKysely();
  const denied = `permission denied for table ${table}`;
  await expect(sql`update ${sql.table(table)} set workspace_id = workspace_id`.execute(db)).rejects.toThrow(denied);
  await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow(denied);
  await expect(sql`truncate ${sql.table(table)}`.execute(db)).rejects.toThrow(denied);
});

it("the service's database role cannot delete applied events or operations", async () => {
  const db = contracts.em.getKysely();
  const denied = 'permission denied for table applied_operation';
  await expect(sql`update applied_operation set workspace_id = workspace_id`.execute(db)).rejects.toThrow(denied);
  await expect(sql`delete from applied_operation`.execute(db)).rejects.toThrow(denied);
  await expect(sql`truncate applied_operation`.execute(db)).rejects.toThrow(denied);
});

it.each(['contract', 'worker'])("the service's database role cannot delete from %s", async (table) => {
  const remove = sql`delete from ${sql.table(table)}`.execute(contracts.em.getKysely());
  await expect(remove).rejects.toThrow(`permission denied for table ${table}`);
});
