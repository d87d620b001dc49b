import type { InferEntity } from '@mikro-orm/core';
import { DomainError, INTERNAL, newId, notFound, type Scope } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { decideConsent } from '../domain/connection.js';
import { McpClientTable, McpConnectionTable, McpGrantTable } from '../store/oauth-tables.js';
import { MembershipTable } from '../store/tables.js';
import { nameClient, type ClientFacts } from './name-client.js';

export interface ConnectAssistant {
  membershipId: string;
  /** Whom the issuer means by it. */
  subject: string;
  client: ClientFacts;
  /** What is consented to; the role bounds it, now and later. */
  scopes: readonly Scope[];
  /** Whether an admin said that everybody in the workspace may connect this client. */
  enable: boolean;
  /** Of the authorization server; null where another one keeps its own. */
  grantId: string | null;
}

/**
 * Somebody lets a client act for them. Signing in again goes on with the same connection, and so with the same
 * principal; after a revocation there is a new one (public-api.md §5).
 */
export const connectAssistant = defineCommand(
  'mcp-connection.connect',
  { ...INTERNAL, own: ({ membershipId }: ConnectAssistant) => membershipId },
  async (tx, input: ConnectAssistant): Promise<{ connectionId: string }> => {
    const { workspaceId } = tx;
    const member = await tx.em.findOne(MembershipTable, { workspaceId, id: input.membershipId, leftAt: null });
    if (!member) throw notFound('The member');
    const client = await tx.em.findOne(McpClientTable, { workspaceId, id: input.client.id });
    const decision = decideConsent(client?.status ?? null, member.role);
    if (decision === 'refused' || (decision === 'enables' && !input.enable)) {
      throw new DomainError('INSUFFICIENT_SCOPE', 'No admin of the workspace has enabled this client.');
    }
    if (decision === 'enables') await nameClient(tx, input.client, 'enabled');
    const connection = (await widen(tx, input)) ?? begin(tx, input);
    if (input.grantId !== null) {
      const grant = { id: input.grantId, workspaceId, connectionId: connection.id, createdAt: tx.now };
      tx.em.persist(tx.em.create(McpGrantTable, grant));
    }
    return { connectionId: connection.id };
  },
);

type Connection = InferEntity<typeof McpConnectionTable>;

async function widen(tx: CommandTransaction, input: ConnectAssistant): Promise<Connection | null> {
  const connection = await tx.em.findOne(McpConnectionTable, {
    workspaceId: tx.workspaceId,
    clientId: input.client.id,
    membershipId: input.membershipId,
    revokedAt: null,
  });
  if (!connection) return null;
  const from = connection.scopes;
  const scopes = [...new Set([...from, ...input.scopes])];
  if (scopes.length > from.length) tx.audit('mcp-connection.widened', connection.id, { scopes: { from, to: scopes } });
  return Object.assign(connection, { scopes, subject: input.subject });
}

function begin(tx: CommandTransaction, { client, membershipId, subject, scopes }: ConnectAssistant): Connection {
  const connection = tx.em.create(McpConnectionTable, {
    ...{ id: newId(), workspaceId: tx.workspaceId, clientId: client.id, membershipId, subject },
    principalId: newId(),
    scopes: [...scopes],
    createdAt: tx.now,
    lastUsedAt: null,
    revokedAt: null,
  });
  tx.em.persist(connection);
  const { principalId } = connection;
  tx.audit('mcp-connection.connected', connection.id, { member: membershipId, client: client.id, principalId, scopes });
  return connection;
}
