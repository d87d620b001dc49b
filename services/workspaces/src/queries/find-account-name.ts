import type { EntityManager } from '@mikro-orm/postgresql';
import type { WorkspacesRows } from '../store/schema.js';

/** What the owner of an address is called; undefined when it has no account. */
export async function findAccountName(em: EntityManager, email: string): Promise<string | undefined> {
  const account = await em
    .getKysely<WorkspacesRows>()
    .selectFrom('account')
    .where('email', '=', email)
    .select('name')
    .executeTakeFirst();
  return account?.name;
}
