import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, notFound, type Actor, memberOf } from '@payroll/kernel';
import { columns, columnsExcept, list, read, readOne, sql, type Page, type Paging } from '@payroll/store';
import { ApiKeyTable, InternalTokenTable } from '../store/tables.js';
import {
  type ApiKey,
  apiKeys,
  clientColumns,
  connections,
  type McpClient,
  type McpConnection,
} from '../store/views.js';

/** Newest first, including revoked and expired keys. */
export async function listApiKeys(em: EntityManager, workspaceId: string, paging: Paging): Promise<Page<ApiKey>> {
  return await list(em, apiKeys, { workspaceId, filters: { of: 'api keys' }, ...paging });
}

/** @throws DomainError `NOT_FOUND` */
export async function findApiKey(em: EntityManager, workspaceId: string, id: string): Promise<ApiKey> {
  const one = sql`select ${apiKeys.columns} from api_key where workspace_id = ${workspaceId} and id = ${id}`;
  const [row] = isId(id) ? await read(em, one) : [];
  if (!row) throw notFound('The API key');
  return apiKeys.toNode(row);
}

/** Finds a key in any workspace, for operators. */
export async function workspaceOfKey(em: EntityManager, id: string): Promise<string | null> {
  const [key] = await read(em, sql`select ${columns(ApiKeyTable, 'workspaceId')} from api_key where id = ${id}`);
  return key?.workspaceId ?? null;
}

/** Newest first: those valid now, or all that ever existed. */
export async function listInternalTokens(em: EntityManager, { all }: { all: boolean }) {
  const which = all ? sql`` : sql`where revoked_at is null and expires_at > now()`;
  return await read(
    em,
    sql`select ${columnsExcept(InternalTokenTable, 'secretHash')} from internal_token ${which}
      order by created_at desc, id desc`,
  );
}

/** Newest first: all for admins and internal teams, their own for other members. */
export async function listMcpConnections(
  em: EntityManager,
  actor: Actor,
  { includeRevoked, ...paging }: Paging & { includeRevoked: boolean },
): Promise<Page<McpConnection>> {
  const { workspaceId } = actor;
  const member = memberOf(actor);
  const memberId = member !== null && member.role !== 'admin' ? member.principalId : undefined;
  const filters = { of: 'connections', memberId, includeRevoked };
  const conditions = [
    memberId !== undefined && sql`membership_id = ${memberId}`,
    !includeRevoked && sql`revoked_at is null`,
  ];
  return await list(em, connections, { workspaceId, filters, conditions, ...paging });
}

/** More than a workspace will ever enable; of the requested clients, the newest. */
const LIMIT = 200;

/** Enabled clients first, then requested ones; newest first. */
export async function listMcpClients(em: EntityManager, workspaceId: string): Promise<McpClient[]> {
  return await read(
    em,
    sql`select ${clientColumns} from mcp_client where workspace_id = ${workspaceId}
      order by array_position(array['enabled', 'asked', 'disabled'], status), changed_at desc limit ${LIMIT}`,
  );
}

export async function findMcpClient(em: EntityManager, workspaceId: string, id: string): Promise<McpClient | null> {
  const one = sql`select ${clientColumns} from mcp_client where workspace_id = ${workspaceId} and id = ${id}`;
  return await readOne(em, one);
}
