import type { InferEntity } from '@mikro-orm/core';
import { DomainError, INTERNAL, MEMBERS, newId, notFound, type Scope } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { decideConsent } from '../domain/connection.js';
import { requireOwner } from '../domain/member.js';
import { type McpConnection, toMcpConnection } from '../store/views.js';
import { McpClientTable, McpConnectionTable, McpGrantTable } from '../store/oauth-tables.js';
import { MembershipTable } from '../store/tables.js';
import { endConnection, findOwn, requireConnectionManager } from './access.js';
import { nameClient, type ClientFacts } from './clients.js';

type Connection = InferEntity<typeof McpConnectionTable>;

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
  who: { ...INTERNAL, own: ({ membershipId }: ConnectAssistant) => membershipId },
  decide: async (tx, input: ConnectAssistant): Promise<{ connectionId: string }> => {
    const { workspaceId } = tx;
    const member = await tx.em.findOne(MembershipTable, { workspaceId, id: input.membershipId, leftAt: null });
    if (!member) throw notFound('The member');
    const client = await tx.em.findOne(McpClientTable, { workspaceId, id: input.client.id });
    const decision = decideConsent(client?.status ?? null, member.role);
    if (decision === 'refused' || (decision === 'enables' && !input.enable)) {
      throw new DomainError('INSUFFICIENT_SCOPE', 'No admin of the workspace has enabled this client.');
    }
    if (decision === 'enables') await nameClient(tx, input.client, 'enabled');
    const { id: connectionId } = (await widen(tx, input)) ?? begin(tx, input);
    const { grantId } = input;
    if (grantId !== null) tx.em.create(McpGrantTable, { id: grantId, workspaceId, connectionId, createdAt: tx.now });
    return { connectionId };
  },
});

async function widen(tx: CommandTransaction, input: ConnectAssistant): Promise<Connection | null> {
  const [{ workspaceId }, { client, membershipId, subject }] = [tx, input];
  const live = { workspaceId, clientId: client.id, membershipId, revokedAt: null };
  const connection = await tx.em.findOne(McpConnectionTable, live);
  if (!connection) return null;
  const from = connection.scopes;
  const scopes = [...new Set([...from, ...input.scopes])];
  if (scopes.length > from.length) tx.audit('mcp-connection.widened', connection.id, { scopes: { from, to: scopes } });
  return Object.assign(connection, { scopes, subject });
}

function begin(tx: CommandTransaction, { client, scopes, membershipId, subject }: ConnectAssistant): Connection {
  const connection = create(tx, { membershipId, subject, clientId: client.id, scopes: [...scopes] });
  const { id, principalId } = connection;
  tx.audit('mcp-connection.connected', id, { member: membershipId, client: client.id, principalId, scopes });
  return connection;
}

function create(
  { em, workspaceId, now: createdAt }: CommandTransaction,
  given: Pick<Connection, 'clientId' | 'membershipId' | 'subject' | 'scopes'>,
): Connection {
  const made = { id: newId(), workspaceId, principalId: newId(), createdAt, lastUsedAt: null, revokedAt: null };
  return em.create(McpConnectionTable, { ...given, ...made });
}

/** Allows an ended connection again, as a new one with its own principal. */
export const renewMcpConnection = defineCommand('mcp-connection.renew', {
  who: MEMBERS,
  decide: async (tx, { id }: { id: string }) => {
    const { workspaceId } = tx;
    const ended = await findOwn(tx, McpConnectionTable, id, 'The connection');
    const { clientId, membershipId, subject, scopes } = ended;
    // Only the member can consent to an assistant that acts for them; that others' connections exist is not told.
    requireConnectionManager(tx.origin.actor, membershipId);
    requireOwner(tx.origin.actor, membershipId);
    const client = await tx.em.findOne(McpClientTable, { workspaceId, id: clientId });
    if (client?.status !== 'enabled') {
      throw new DomainError('INVALID_STATE', 'The application is not enabled in the workspace (any more).');
    }
    const live = await tx.em.count(McpConnectionTable, { workspaceId, clientId, membershipId, revokedAt: null });
    if (live > 0) throw new DomainError('INVALID_STATE', 'It is connected already.');
    const { id: renewed } = create(tx, { clientId, membershipId, subject, scopes });
    tx.audit('mcp-connection.connected', renewed, { member: membershipId, client: clientId, after: id });
  },
});

export const revokeMcpConnection = defineCommand('mcp-connection.revoke', {
  who: MEMBERS,
  decide: async (tx, { id }: { id: string }): Promise<McpConnection> => {
    const { workspaceId } = tx;
    const connection = await findOwn(tx, McpConnectionTable, id, 'The connection');
    requireConnectionManager(tx.origin.actor, connection.membershipId);
    if (connection.revokedAt === null) await endConnection(tx, connection);
    const client = await tx.em.findOneOrFail(McpClientTable, { workspaceId, id: connection.clientId });
    const member = await tx.em.findOneOrFail(MembershipTable, { workspaceId, id: connection.membershipId });
    return toMcpConnection({ ...connection, clientName: client.name, memberName: member.name });
  },
});
