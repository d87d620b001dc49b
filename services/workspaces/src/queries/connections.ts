import type { EntityManager } from '@mikro-orm/postgresql';
import { type Actor, memberOf } from '@payroll/kernel';
import { list, read, sql, type Page } from '@payroll/store';
import { clientColumns, connections, type McpClient, type McpConnection, type Paging } from '../store/views.js';

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
  const [client] = await read(em, one);
  return client ?? null;
}
