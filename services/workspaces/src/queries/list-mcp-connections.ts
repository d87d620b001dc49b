import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { McpConnection } from '../domain/connection.js';

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
