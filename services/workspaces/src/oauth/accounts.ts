import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { sql } from 'kysely';
import type { Account } from 'oidc-provider';
import type { WorkspacesRows } from '../store/schema.js';

/** Who somebody is, for ID tokens and userinfo: the claims of the scopes `profile` and `email`. */
export async function findAccount(em: EntityManager, id: string): Promise<Account | undefined> {
  if (!isId(id)) return undefined;
  const row = await em
    .getKysely<WorkspacesRows>()
    .selectFrom('account')
    .select(['name', 'email', sql<boolean>`proved_at is not null`.as('email_verified')])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { accountId: id, claims: () => ({ sub: id, ...row }) };
}
