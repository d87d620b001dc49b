import type { CommandTransaction } from '@payroll/store';
import { McpConnectionTable } from '../store/oauth-tables.js';
import { ApiKeyTable } from '../store/tables.js';
import { revoke } from './revoke-api-key.js';
import { revokeConnection } from './revoke-mcp-connection.js';

/** Ends the keys and connections that act for a membership, for ever. */
export async function endAccess(tx: CommandTransaction, membershipId: string): Promise<void> {
  const ofMember = { workspaceId: tx.workspaceId, membershipId, revokedAt: null };
  for (const key of await tx.em.find(ApiKeyTable, ofMember)) revoke(tx, key);
  for (const connection of await tx.em.find(McpConnectionTable, ofMember)) await revokeConnection(tx, connection);
}
