import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, notFound, toInstant } from '@payroll/kernel';
import { Keyset, type Page, part, readComposed } from '@payroll/store';
import type { ApiKey } from '../domain/api-key.js';

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
  const keyset = new Keyset({ list: 'api keys', workspaceId, filters: { of: 'api keys' }, ...page });
  const rows = await readComposed<KeyRow>(em, keyset.statement(KEYS, 'api_key'));
  return keyset.page(rows, toListedKey);
}

/** @throws DomainError `NOT_FOUND` */
export async function findApiKey(em: EntityManager, workspaceId: string, id: string): Promise<ListedApiKey> {
  const one = part`${KEYS} where api_key.workspace_id = ${workspaceId} and api_key.id = ${id}`;
  const [row] = isId(id) ? await readComposed<KeyRow>(em, one) : [];
  if (!row) throw notFound('The API key');
  return toListedKey(row);
}

const KEYS = part`select api_key.id, api_key.name, principal_id as "principalId", membership_id as "memberId", scopes,
    (select name from membership m where m.workspace_id = api_key.workspace_id and m.id = membership_id) as "memberName",
    expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
    created_at as "createdAt", created_at as "updatedAt"
  from api_key`;

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
