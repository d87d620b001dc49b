import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { Workspaces } from './support.js';

const workspaces = await Workspaces.open('workspaces_history');
await workspaces.provision();
afterAll(() => workspaces[Symbol.asyncDispose]());

it.each(['audit_entry', 'dead_letter'])("the service's database role cannot rewrite %s", async (table) => {
  const db = workspaces.em.getKysely();
  const denied = `permission denied for table ${table}`;
  await expect(sql`update ${sql.table(table)} set workspace_id = workspace_id`.execute(db)).rejects.toThrow(denied);
  await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow(denied);
  await expect(sql`truncate ${sql.table(table)}`.execute(db)).rejects.toThrow(denied);
});

it("the service's database role cannot delete applied events or operations", async () => {
  const db = workspaces.em.getKysely();
  const denied = 'permission denied for table applied_operation';
  await expect(sql`update applied_operation set workspace_id = workspace_id`.execute(db)).rejects.toThrow(denied);
  await expect(sql`delete from applied_operation`.execute(db)).rejects.toThrow(denied);
  await expect(sql`truncate applied_operation`.execute(db)).rejects.toThrow(denied);
});

it.each(['business', 'membership', 'api_key', 'internal_token'])(
  "the service's database role cannot delete from %s",
  async (table) => {
    const remove = sql`delete from ${sql.table(table)}`.execute(workspaces.em.getKysely());
    await expect(remove).rejects.toThrow(`permission denied for table ${table}`);
  },
);
