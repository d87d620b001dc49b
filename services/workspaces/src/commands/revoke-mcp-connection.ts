import type { InferEntity } from '@mikro-orm/core';
import { isId, MEMBERS, notFound } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { sql } from 'kysely';
import type { McpConnection } from '../domain/connection.js';
import { McpClientTable, McpConnectionTable } from '../store/oauth-tables.js';
import { MembershipTable } from '../store/tables.js';
import { toMcpConnection } from '../store/to-mcp-client.js';
import { requireConnectionManager } from './connection-rights.js';

/** For ever, from the next request on. Admins end any, members their own; others' are not there for them. */
export const revokeMcpConnection = defineCommand(
  'mcp-connection.revoke',
  MEMBERS,
  async (tx, { id }: { id: string }): Promise<McpConnection> => {
    const { workspaceId } = tx;
    const connection = isId(id) ? await tx.em.findOne(McpConnectionTable, { workspaceId, id }) : null;
    if (!connection) throw notFound('The connection');
    requireConnectionManager(tx.origin.actor, connection.membershipId);
    if (connection.revokedAt === null) await revokeConnection(tx, connection);
    const client = await tx.em.findOneOrFail(McpClientTable, { workspaceId, id: connection.clientId });
    const member = await tx.em.findOneOrFail(MembershipTable, { workspaceId, id: connection.membershipId });
    return toMcpConnection(connection, { clientName: client.name, memberName: member.name });
  },
);

/** With every code and refresh token that was given for it; its access tokens find no connection any more. */
export async function revokeConnection(
  tx: CommandTransaction,
  connection: InferEntity<typeof McpConnectionTable>,
): Promise<void> {
  connection.revokedAt = tx.now;
  tx.audit('mcp-connection.revoked', connection.id, { revokedAt: { from: null, to: tx.now } });
  await sql`
    delete from oauth_artifact a using mcp_grant g
    where g.connection_id = ${connection.id} and a.grant_id = g.id`.execute(tx.em.getKysely());
}
