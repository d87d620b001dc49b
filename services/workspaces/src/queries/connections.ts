import type { EntityManager } from '@mikro-orm/postgresql';
import { list, read, sql, type Page } from '@payroll/store';
import { clientColumns, connections, type McpClient, type McpConnection, type Paging } from '../store/views.js';

export interface ConnectionsRequest extends Paging {
  /** Of one member; of all when it is missing. */
  memberId?: string | undefined;
  includeRevoked: boolean;
}

/** Newest first. */
export async function listMcpConnections(
  em: EntityManager,
  workspaceId: string,
  { memberId, includeRevoked, ...paging }: ConnectionsRequest,
): Promise<Page<McpConnection>> {
  const filters = { of: 'connections', memberId, includeRevoked };
  const conditions = [
    memberId !== undefined && sql`membership_id = ${memberId}`,
    !includeRevoked && sql`revoked_at is null`,
  ];
  return await list(em, connections, { workspaceId, filters, conditions, ...paging });
}

/** More than a workspace will ever enable; of those that are asked for, the newest. */
const LIMIT = 200;

/** Those that are enabled first, then those that somebody asked for, the newest first. */
export async function listMcpClients(em: EntityManager, workspaceId: string): Promise<McpClient[]> {
  return await read(
    em,
    sql`select ${clientColumns} from mcp_client where workspace_id = ${workspaceId}
      order by array_position(array['enabled', 'asked', 'disabled'], status), changed_at desc limit ${LIMIT}`,
  );
}

/** As the workspace knows it, or null. */
export async function findMcpClient(em: EntityManager, workspaceId: string, id: string): Promise<McpClient | null> {
  const one = sql`select ${clientColumns} from mcp_client where workspace_id = ${workspaceId} and id = ${id}`;
  const [client] = await read(em, one);
  return client ?? null;
}
