import { DomainError, INTERNAL_ONLY, MEMBERS_OR_INTERNAL, newId, notFound, type Scope } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { decideConsent } from '../domain/connection.js';
import { requireOwner } from '../domain/member.js';
import { type McpConnection, toMcpConnection } from '../store/views.js';
import { McpClientTable, McpConnectionTable } from '../store/oauth-tables.js';
import { MembershipTable } from '../store/tables.js';
import { endConnection, requireConnectionManager, requireRecentPassword } from './access.js';
import { setClientStatus, type ClientFacts } from './clients.js';

type Connection = TableRow<typeof McpConnectionTable>;

interface ConnectAssistant extends Pick<Connection, 'membershipId' | 'subject' | 'grantId'> {
  client: ClientFacts;
  /** The consented scopes; the live role limits them. */
  scopes: readonly Scope[];
  /** Whether an admin also enables the client for the whole workspace. */
  enable: boolean;
}

/**
 * A member connects a client that acts for them. Each consent is a connection with a principal of its own
 * (public-api.md §5).
 */
export const connectAssistant = defineCommand('mcp-connection.connect', {
  who: { ...INTERNAL_ONLY, own: ({ membershipId }: ConnectAssistant) => membershipId, needsRecentPassword: true },
  decide: async (tx, input: ConnectAssistant): Promise<{ connectionId: string }> => {
    await requireRecentPassword(tx);
    const member = await tx.find(MembershipTable, { id: input.membershipId, leftAt: null });
    if (!member) throw notFound('The member');
    const client = await tx.find(McpClientTable, { id: input.client.id });
    const decision = decideConsent(client?.status ?? null, member.role);
    if (decision === 'refused' || (decision === 'enables' && !input.enable)) {
      throw new DomainError('INSUFFICIENT_SCOPE', 'No admin of the workspace has enabled this client.');
    }
    if (decision === 'enables') await setClientStatus(tx, input.client, 'enabled');
    // An external issuer's grants cannot be told apart: two concurrent first requests make one connection.
    const known = input.grantId === null ? await findLive(tx, { ...input, clientId: input.client.id }) : null;
    return { connectionId: (known ?? begin(tx, input)).id };
  },
});

/** The member's connection of an external issuer's client. */
function findLive(
  tx: CommandTransaction,
  { clientId, membershipId }: Pick<Connection, 'clientId' | 'membershipId'>,
): Promise<Connection | null> {
  return tx.find(McpConnectionTable, { clientId, membershipId, grantId: null, revokedAt: null });
}

function begin(tx: CommandTransaction, { client, scopes, ...whose }: ConnectAssistant): Connection {
  const { membershipId, subject, grantId } = whose;
  const connection = create(tx, { membershipId, subject, grantId, clientId: client.id, scopes: [...scopes] });
  const { id, principalId } = connection;
  tx.audit('mcp-connection.connected', id, {
    member: membershipId,
    client: client.id,
    name: client.name,
    principalId,
    scopes,
  });
  return connection;
}

function create(
  tx: CommandTransaction,
  given: Pick<Connection, 'clientId' | 'membershipId' | 'subject' | 'grantId' | 'scopes'>,
): Connection {
  const { workspaceId, now: createdAt } = tx;
  const made = { id: newId(), workspaceId, principalId: newId(), createdAt, lastUsedAt: null, revokedAt: null };
  return tx.insert(McpConnectionTable, { ...given, ...made });
}

/**
 * Allows a revoked connection of an external issuer again, as a new one with its own principal. With the embedded
 * server, a new consent does that.
 */
export const renewMcpConnection = defineCommand('mcp-connection.renew', {
  who: { ...MEMBERS_OR_INTERNAL, needsRecentPassword: true },
  decide: async (tx, { id }: { id: string }): Promise<McpConnection> => {
    const ended = await tx.lock(McpConnectionTable, id);
    if (!ended) throw notFound('The connection');
    const { clientId, membershipId, subject, grantId, scopes } = ended;
    // Only the member can consent to an assistant that acts for them; the existence of other members' connections is
    // not revealed.
    requireConnectionManager(tx.origin.actor, membershipId);
    requireOwner(tx.origin.actor, membershipId);
    await requireRecentPassword(tx);
    if (grantId !== null) throw new DomainError('INVALID_STATE', 'Connect it again from the assistant.');
    const client = await tx.find(McpClientTable, { id: clientId });
    if (client?.status !== 'enabled') {
      throw new DomainError('INVALID_STATE', 'The application is not enabled in the workspace.');
    }
    const member = await tx.find(MembershipTable, { id: membershipId });
    const names = { clientName: client.name, memberName: member!.name };
    // Its form was sent twice.
    const live = await findLive(tx, { clientId, membershipId });
    if (live) return toMcpConnection({ ...live, ...names });
    const renewed = create(tx, { clientId, membershipId, subject, grantId, scopes });
    tx.audit('mcp-connection.connected', renewed.id, { member: membershipId, client: clientId, after: id });
    return toMcpConnection({ ...renewed, ...names });
  },
});

export const revokeMcpConnection = defineCommand('mcp-connection.revoke', {
  who: MEMBERS_OR_INTERNAL,
  decide: async (tx, { id }: { id: string }): Promise<McpConnection> => {
    const connection = await tx.lock(McpConnectionTable, id);
    if (!connection) throw notFound('The connection');
    const { clientId, membershipId } = connection;
    requireConnectionManager(tx.origin.actor, membershipId);
    const client = await tx.find(McpClientTable, { id: clientId });
    const member = await tx.find(MembershipTable, { id: membershipId });
    const ended = connection.revokedAt === null ? await endConnection(tx, connection) : connection;
    return toMcpConnection({ ...ended, clientName: client!.name, memberName: member!.name });
  },
});
