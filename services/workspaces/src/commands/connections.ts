import { DomainError, INTERNAL, MEMBERS, newId, notFound, type Scope } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { decideConsent } from '../domain/connection.js';
import { requireOwner } from '../domain/member.js';
import { type McpConnection, toMcpConnection } from '../store/views.js';
import { McpClientTable, McpConnectionTable, McpGrantTable } from '../store/oauth-tables.js';
import { MembershipTable } from '../store/tables.js';
import { endConnection, requireConnectionManager, requireRecentPassword } from './access.js';
import { nameClient, type ClientFacts } from './clients.js';

type Connection = TableRow<typeof McpConnectionTable>;

interface ConnectAssistant extends Pick<Connection, 'membershipId' | 'subject'> {
  client: ClientFacts;
  /** What is consented to; the role bounds it, now and later. */
  scopes: readonly Scope[];
  /** Whether an admin said that everybody in the workspace may connect this client. */
  enable: boolean;
  /** Of the authorization server; null where another one keeps its own. */
  grantId: string | null;
}

/** Somebody lets a client act for them. Signing in again keeps connection and principal until revoked (public-api.md §5). */
export const connectAssistant = defineCommand('mcp-connection.connect', {
  who: { ...INTERNAL, own: ({ membershipId }: ConnectAssistant) => membershipId, needsRecentPassword: true },
  decide: async (tx, input: ConnectAssistant): Promise<{ connectionId: string }> => {
    const { workspaceId } = tx;
    await requireRecentPassword(tx);
    const member = await tx.find(MembershipTable, { id: input.membershipId, leftAt: null });
    if (!member) throw notFound('The member');
    const client = await tx.find(McpClientTable, { id: input.client.id });
    const decision = decideConsent(client?.status ?? null, member.role);
    if (decision === 'refused' || (decision === 'enables' && !input.enable)) {
      throw new DomainError('INSUFFICIENT_SCOPE', 'No admin of the workspace has enabled this client.');
    }
    if (decision === 'enables') await nameClient(tx, input.client, 'enabled');
    const { id: connectionId } = (await widen(tx, input)) ?? begin(tx, input);
    const { grantId } = input;
    if (grantId !== null) tx.insert(McpGrantTable, { id: grantId, workspaceId, connectionId, createdAt: tx.now });
    return { connectionId };
  },
});

async function widen(tx: CommandTransaction, input: ConnectAssistant): Promise<Connection | null> {
  const { client, membershipId, subject } = input;
  const connection = await findLive(tx, { clientId: client.id, membershipId });
  if (!connection) return null;
  const from = connection.scopes;
  const scopes = [...new Set([...from, ...input.scopes])];
  if (scopes.length > from.length) tx.audit('mcp-connection.widened', connection.id, { scopes: { from, to: scopes } });
  return tx.update(McpConnectionTable, connection, { scopes, subject });
}

/** The connection that the client has for the member. */
function findLive(tx: CommandTransaction, whose: Pick<Connection, 'clientId' | 'membershipId'>) {
  return tx.find(McpConnectionTable, { ...whose, revokedAt: null });
}

function begin(tx: CommandTransaction, { client, scopes, membershipId, subject }: ConnectAssistant): Connection {
  const connection = create(tx, { membershipId, subject, clientId: client.id, scopes: [...scopes] });
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
  given: Pick<Connection, 'clientId' | 'membershipId' | 'subject' | 'scopes'>,
): Connection {
  const { workspaceId, now: createdAt } = tx;
  const made = { id: newId(), workspaceId, principalId: newId(), createdAt, lastUsedAt: null, revokedAt: null };
  return tx.insert(McpConnectionTable, { ...given, ...made });
}

/** Allows an ended connection again, as a new one with its own principal. */
export const renewMcpConnection = defineCommand('mcp-connection.renew', {
  who: { ...MEMBERS, needsRecentPassword: true },
  decide: async (tx, { id }: { id: string }): Promise<McpConnection> => {
    const ended = await tx.lock(McpConnectionTable, id);
    if (!ended) throw notFound('The connection');
    const { clientId, membershipId, subject, scopes } = ended;
    // Only the member can consent to an assistant that acts for them; that others' connections exist is not told.
    requireConnectionManager(tx.origin.actor, membershipId);
    requireOwner(tx.origin.actor, membershipId);
    await requireRecentPassword(tx);
    const client = await tx.find(McpClientTable, { id: clientId });
    if (client?.status !== 'enabled') {
      throw new DomainError('INVALID_STATE', 'The application is not enabled in the workspace (any more).');
    }
    const live = await findLive(tx, { clientId, membershipId });
    if (live) throw new DomainError('INVALID_STATE', 'It is connected already.');
    const member = await tx.find(MembershipTable, { id: membershipId });
    const renewed = create(tx, { clientId, membershipId, subject, scopes });
    tx.audit('mcp-connection.connected', renewed.id, { member: membershipId, client: clientId, after: id });
    return toMcpConnection({ ...renewed, clientName: client.name, memberName: member!.name });
  },
});

export const revokeMcpConnection = defineCommand('mcp-connection.revoke', {
  who: MEMBERS,
  decide: async (tx, { id }: { id: string }): Promise<McpConnection> => {
    const connection = await tx.lock(McpConnectionTable, id);
    if (!connection) throw notFound('The connection');
    const { clientId, membershipId } = connection;
    requireConnectionManager(tx.origin.actor, membershipId);
    const client = await tx.find(McpClientTable, { id: clientId });
    const member = await tx.find(MembershipTable, { id: membershipId });
    const ended = connection.revokedAt === null ? endConnection(tx, connection) : connection;
    return toMcpConnection({ ...ended, clientName: client!.name, memberName: member!.name });
  },
});
