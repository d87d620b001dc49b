import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import type { InternalToken } from '../domain/internal-token.js';
import type { WorkspacesRows } from '../store/schema.js';
import { sql } from 'kysely';

/** Those that open the internal endpoint now, or all there ever were; newest first. */
export async function listInternalTokens(em: EntityManager, { all }: { all: boolean }): Promise<InternalToken[]> {
  let query = em
    .getKysely<WorkspacesRows>()
    .selectFrom('internal_token')
    .select(['id', 'name', 'owner', 'team', 'expires_at', 'revoked_at', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  if (!all) query = query.where('revoked_at', 'is', null).where('expires_at', '>', sql<string>`now()`);
  const rows = await query.execute();
  return rows.map(({ id, name, owner, team, expires_at, revoked_at, created_at }) => ({
    ...{ id, name, owner, team },
    expiresAt: toInstant(expires_at),
    revokedAt: revoked_at === null ? null : toInstant(revoked_at),
    createdAt: toInstant(created_at),
  }));
}
