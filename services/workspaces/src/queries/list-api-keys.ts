import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { ApiKey } from '../domain/workspace.js';
import type { WorkspacesRows } from '../store/schema.js';

/** Newest first, revoked and expired ones too; never with the hash of the secret. */
export async function listApiKeys(
  em: EntityManager,
  workspaceId: string,
  page: { limit: number; cursor?: string | null | undefined },
): Promise<Page<ApiKey>> {
  const keyset = new Keyset({ workspaceId, filters: { of: 'api keys' }, ...page });
  const rows = await em
    .getKysely<WorkspacesRows>()
    .selectFrom('api_key')
    .where('workspace_id', '=', workspaceId)
    .where(keyset.where('api_key'))
    .select(['id', 'name', 'principal_id as principalId', 'membership_id as memberId', 'scopes'])
    .select([
      'expires_at as expiresAt',
      'revoked_at as revokedAt',
      'created_at as createdAt',
      'created_at as updatedAt',
    ])
    .orderBy(keyset.orderBy('api_key'))
    .limit(keyset.rowLimit)
    .execute();
  return keyset.page(rows, ({ updatedAt: _same, ...row }) => ({
    ...row,
    expiresAt: toInstant(row.expiresAt),
    revokedAt: row.revokedAt === null ? null : toInstant(row.revokedAt),
    createdAt: toInstant(row.createdAt),
  }));
}
