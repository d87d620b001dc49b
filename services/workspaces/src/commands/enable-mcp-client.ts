import { notFound } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { McpClient } from '../domain/connection.js';
import { requireManager } from '../domain/permissions.js';
import { McpClientTable } from '../store/oauth-tables.js';
import { toMcpClient } from '../store/to-mcp-client.js';
import { nameClient, type ClientFacts } from './name-client.js';

/** From now on every member may connect this client, each with what the own role allows. */
export const enableMcpClient = defineCommand(
  'mcp-client.enable',
  async (tx, client: ClientFacts): Promise<McpClient> => {
    requireManager(tx.origin.actor);
    await nameClient(tx, client, 'enabled');
    await tx.em.flush();
    const row = await tx.em.findOne(McpClientTable, { workspaceId: tx.workspaceId, id: client.id });
    if (!row) throw notFound('The client');
    return toMcpClient(row);
  },
);
