import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, notFound } from '@payroll/kernel';
import { list, read, sql, type Page } from '@payroll/store';
import { apiKeys, type Paging } from '../store/views.js';

/** A key with the name of the member it acts as. */
export type ListedApiKey = ReturnType<typeof apiKeys.toNode>;

/** Newest first, revoked and expired ones too. */
export async function listApiKeys(em: EntityManager, workspaceId: string, paging: Paging): Promise<Page<ListedApiKey>> {
  return await list(em, apiKeys, { workspaceId, filters: { of: 'api keys' }, ...paging });
}

/** @throws DomainError `NOT_FOUND` */
export async function findApiKey(em: EntityManager, workspaceId: string, id: string): Promise<ListedApiKey> {
  const one = sql`select ${apiKeys.columns} from api_key where workspace_id = ${workspaceId} and id = ${id}`;
  const [row] = isId(id) ? await read(em, one) : [];
  if (!row) throw notFound('The API key');
  return apiKeys.toNode(row);
}
