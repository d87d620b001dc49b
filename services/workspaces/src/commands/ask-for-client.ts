import { MEMBERS } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { McpClientTable } from '../store/oauth-tables.js';
import { nameClient, type ClientFacts } from './name-client.js';

/** A member wanted to connect a client that is not enabled: admins find it on their page. */
export const askForClient = defineCommand('mcp-client.ask', MEMBERS, async (tx, client: ClientFacts): Promise<void> => {
  const known = await tx.em.findOne(McpClientTable, { workspaceId: tx.workspaceId, id: client.id });
  if (known?.status !== 'enabled') await nameClient(tx, client, 'asked');
});
