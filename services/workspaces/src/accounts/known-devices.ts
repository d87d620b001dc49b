import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { WorkspacesRows } from '../store/schema.js';
import { hashSecret, newSecret } from './secret.js';

export const DEVICE_DAYS = 180;

/** Marks the browser as one of the account's own; one that is known keeps its secret. */
export async function rememberDevice(em: EntityManager, accountId: string, known: string | null): Promise<string> {
  const secret = known ?? newSecret();
  await em
    .getKysely<WorkspacesRows>()
    .insertInto('known_device')
    .values({ secret_hash: hashSecret(secret), account_id: accountId, last_used_at: sql<string>`now()` })
    .onConflict((conflict) => conflict.column('secret_hash').doUpdateSet({ last_used_at: sql<string>`now()` }))
    .execute();
  return secret;
}

/** Drops those that have not signed in for so long. */
export async function forgetDevices(em: EntityManager): Promise<void> {
  await sql`delete from known_device where last_used_at < now() - ${`${DEVICE_DAYS} days`}::interval`.execute(
    em.getKysely(),
  );
}
