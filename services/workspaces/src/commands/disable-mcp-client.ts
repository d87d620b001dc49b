import { MANAGERS, notFound } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { McpClient } from '../domain/connection.js';
import { McpClientTable, McpConnectionTable } from '../store/oauth-tables.js';
import { toMcpClient } from '../store/to-mcp-client.js';
import { nameClient } from './name-client.js';
import { revokeConnection } from './revoke-mcp-connection.js';

/** Nobody connects this client any more, and whoever has is cut off from the next request on, for ever. */
export const disableMcpClient = defineCommand(
  'mcp-client.disable',
  MANAGERS,
  async (tx, { id }: { id: string }): Promise<McpClient> => {
    const { workspaceId } = tx;
    const client = await tx.em.findOne(McpClientTable, { workspaceId, id });
    if (!client) throw notFound('The client');
    await nameClient(tx, client, 'disabled');
    const connections = await tx.em.find(McpConnectionTable, { workspaceId, clientId: id, revokedAt: null });
    for (const connection of connections) await revokeConnection(tx, connection);
    return toMcpClient(client);
  },
);
