import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import { Keyset, type Page, part, readComposed } from '@payroll/store';
import { sql } from 'kysely';
import type { McpClient, McpConnection } from '../domain/connection.js';
import type { WorkspacesRows } from '../store/schema.js';

export interface ConnectionsRequest {
  /** Of one member; of all when it is missing. */
  memberId?: string | undefined;
  includeRevoked: boolean;
  limit: number;
  cursor?: string | null | undefined;
}

/** Newest first. */
export async function listMcpConnections(
  em: EntityManager,
  workspaceId: string,
  { memberId, includeRevoked, ...page }: ConnectionsRequest,
): Promise<Page<McpConnection>> {
  const filters = { of: 'connections', memberId: memberId ?? null, includeRevoked };
  const keyset = new Keyset({ list: 'connections', workspaceId, filters, ...page });
  const statement = keyset.statement(CONNECTIONS, 'c', [
    memberId !== undefined && part`c.membership_id = ${memberId}`,
    !includeRevoked && part`c.revoked_at is null`,
  ]);
  const rows = await readComposed<Row>(em, statement);
  return keyset.page(rows, ({ updatedAt: _same, ...row }) => ({
    ...row,
    createdAt: toInstant(row.createdAt),
    lastUsedAt: row.lastUsedAt === null ? null : toInstant(row.lastUsedAt),
    revokedAt: row.revokedAt === null ? null : toInstant(row.revokedAt),
  }));
}

const CONNECTIONS = part`select c.id, c.client_id as "clientId", k.name as "clientName", c.principal_id as "principalId",
    c.scopes, c.membership_id as "memberId", m.name as "memberName", c.last_used_at as "lastUsedAt",
    c.revoked_at as "revokedAt", c.created_at as "createdAt", c.created_at as "updatedAt"
  from mcp_connection c
  join mcp_client k on k.workspace_id = c.workspace_id and k.id = c.client_id
  join membership m on m.workspace_id = c.workspace_id and m.id = c.membership_id`;

interface Row extends McpConnection {
  updatedAt: string;
}

/** More than a workspace will ever enable; of those that are asked for, the newest. */
const LIMIT = 200;

/** Those that are enabled first, then those that somebody asked for, the newest first. */
export async function listMcpClients(em: EntityManager, workspaceId: string): Promise<McpClient[]> {
  const rows = await em
    .getKysely<WorkspacesRows>()
    .selectFrom('mcp_client')
    .where('workspace_id', '=', workspaceId)
    .select(['id', 'name', 'hosts', 'status', 'changed_at as changedAt'])
    .orderBy(sql`array_position(array['enabled', 'asked', 'disabled'], status)`)
    .orderBy('changed_at', 'desc')
    .limit(LIMIT)
    .execute();
  return rows.map((row) => ({ ...row, changedAt: toInstant(row.changedAt) }));
}

/** As the workspace knows it, or null. */
export async function findMcpClient(em: EntityManager, workspaceId: string, id: string): Promise<McpClient | null> {
  const row = await em
    .getKysely<WorkspacesRows>()
    .selectFrom('mcp_client')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(['id', 'name', 'hosts', 'status', 'changed_at as changedAt'])
    .executeTakeFirst();
  return row ? { ...row, changedAt: toInstant(row.changedAt) } : null;
}
