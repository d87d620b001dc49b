import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, notFound, toInstant } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { ApiKey } from '../domain/workspace.js';
import type { WorkspacesRows } from '../store/schema.js';

/** A key with the name of the member it acts as. */
export interface ListedApiKey extends ApiKey {
  memberName: string;
}

/** Newest first, revoked and expired ones too; never with the hash of the secret. */
export async function listApiKeys(
  em: EntityManager,
  workspaceId: string,
  page: { limit: number; cursor?: string | null | undefined },
): Promise<Page<ListedApiKey>> {
  const keyset = new Keyset({ workspaceId, filters: { of: 'api keys' }, ...page });
  const rows = await selectKeys(em, workspaceId)
    .where(keyset.where('api_key'))
    .orderBy(keyset.orderBy('api_key'))
    .limit(keyset.rowLimit)
    .execute();
  return keyset.page(rows, toListedKey);
}

/** @throws DomainError `NOT_FOUND` */
export async function findApiKey(em: EntityManager, workspaceId: string, id: string): Promise<ListedApiKey> {
  const row = isId(id) ? await selectKeys(em, workspaceId).where('api_key.id', '=', id).executeTakeFirst() : undefined;
  if (!row) throw notFound('The API key');
  return toListedKey(row);
}

function selectKeys(em: EntityManager, workspaceId: string) {
  return em
    .getKysely<WorkspacesRows>()
    .selectFrom('api_key')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.workspace_id', '=', 'api_key.workspace_id').onRef('m.id', '=', 'api_key.membership_id'),
    )
    .where('api_key.workspace_id', '=', workspaceId)
    .select(['api_key.id', 'api_key.name', 'principal_id as principalId', 'membership_id as memberId', 'scopes'])
    .select([
      'm.name as memberName',
      'expires_at as expiresAt',
      'revoked_at as revokedAt',
      'last_used_at as lastUsedAt',
    ])
    .select(['api_key.created_at as createdAt', 'api_key.created_at as updatedAt']);
}

interface KeyRow extends ListedApiKey {
  updatedAt: string;
}

function toListedKey({ updatedAt: _same, ...row }: KeyRow): ListedApiKey {
  return {
    ...row,
    expiresAt: toInstant(row.expiresAt),
    revokedAt: row.revokedAt === null ? null : toInstant(row.revokedAt),
    lastUsedAt: row.lastUsedAt === null ? null : toInstant(row.lastUsedAt),
    createdAt: toInstant(row.createdAt),
  };
}
