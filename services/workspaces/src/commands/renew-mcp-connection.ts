import { DomainError, isId, MEMBERS, newId, notFound } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { McpClientTable, McpConnectionTable } from '../store/oauth-tables.js';
import { requireConsenter } from './connection-rights.js';

/** What was ended is allowed again, as a new connection with a principal of its own. */
export const renewMcpConnection = defineCommand(
  'mcp-connection.renew',
  MEMBERS,
  async (tx, { id }: { id: string }): Promise<void> => {
    const { workspaceId } = tx;
    const ended = isId(id) ? await tx.em.findOne(McpConnectionTable, { workspaceId, id }) : null;
    if (!ended) throw notFound('The connection');
    const { clientId, membershipId, subject, scopes } = ended;
    requireConsenter(tx.origin.actor, membershipId);
    const client = await tx.em.findOne(McpClientTable, { workspaceId, id: clientId });
    if (client?.status !== 'enabled') {
      throw new DomainError('INVALID_STATE', 'The application is not enabled in the workspace (any more).');
    }
    const live = await tx.em.count(McpConnectionTable, { workspaceId, clientId, membershipId, revokedAt: null });
    if (live > 0) throw new DomainError('INVALID_STATE', 'It is connected already.');
    const connection = tx.em.create(McpConnectionTable, {
      ...{ id: newId(), workspaceId, clientId, membershipId, subject, scopes },
      principalId: newId(),
      createdAt: tx.now,
      lastUsedAt: null,
      revokedAt: null,
    });
    tx.em.persist(connection);
    tx.audit('mcp-connection.connected', connection.id, { member: membershipId, client: clientId, after: id });
  },
);
