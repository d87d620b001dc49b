import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import { sql } from 'kysely';
import type { McpClient } from '../domain/connection.js';
import type { WorkspacesRows } from '../store/schema.js';

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
