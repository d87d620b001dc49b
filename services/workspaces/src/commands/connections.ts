import {
  ADMINS_OR_INTERNAL,
  MEMBERS_OR_INTERNAL,
  requireFound,
  throwIfInvalid,
  DomainError,
  INTERNAL_ONLY,
  newId,
  type Scope,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { type ClientStatus, decideConsent } from '../domain/connection.js';
import { type McpClient, toMcpClient, type McpConnection, toMcpConnection } from '../store/views.js';
import { problemsOfName } from '../domain/workspace.js';
import { McpClientTable, McpConnectionTable } from '../store/oauth-tables.js';
import { endConnection, requireRecentPassword, requireConnectionManager } from './access.js';
import { requireOwner } from '../domain/member.js';
import { MembershipTable } from '../store/tables.js';

/** Omitted hosts keep their value. */
type ClientFacts = Pick<McpClient, 'id' | 'name'> & { hosts?: readonly string[] };

/** A member asks for a client that is not enabled; admins see it on their page. */
export const requestClient = defineCommand('mcp-client.ask', {
  who: MEMBERS_OR_INTERNAL,
  decide: async (tx, client: ClientFacts) => {
    const known = await tx.find(McpClientTable, { id: client.id });
    if (known?.status !== 'enabled') await setClientStatus(tx, client, 'asked');
  },
});

export const enableMcpClient = defineCommand('mcp-client.enable', {
  who: { ...ADMINS_OR_INTERNAL, needsRecentPassword: true },
  decide: async (tx, client: ClientFacts): Promise<McpClient> => {
    await requireRecentPassword(tx);
    return toMcpClient(await setClientStatus(tx, client, 'enabled'));
  },
});

/**
 * Disables a client: members can no longer connect it, and its connections are permanently revoked from the next
 * request.
 */
export const disableMcpClient = defineCommand('mcp-client.disable', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, { id }: { id: string }) => {
    const client = requireFound(await tx.find(McpClientTable, { id }), 'The client');
    const disabled = await setClientStatus(tx, client, 'disabled');
    const connections = await tx.all(McpConnectionTable, { clientId: id, revokedAt: null });
    for (const connection of connections) await endConnection(tx, connection);
    return toMcpClient(disabled);
  },
});

/** Many ids are addresses of metadata documents. An index of Postgres holds at most 2.7 kB. */
const MAX_ID_LENGTH = 2_000;

/** Sets a client's status in the workspace, and creates its row at first use. */
async function setClientStatus(
  tx: CommandTransaction,
  client: ClientFacts,
  status: ClientStatus,
): Promise<TableRow<typeof McpClientTable>> {
  const { workspaceId, now } = tx;
  const { id, name } = client;
  const problems = [...problemsOfName('id', id, MAX_ID_LENGTH), ...problemsOfName('name', name)];
  throwIfInvalid(problems, 'A client needs an id and a name.');
  const known = await tx.find(McpClientTable, { id });
  if (known?.status === status) return known;
  const change = { from: known?.status ?? null, to: status };
  tx.audit(`mcp-client.${status}`, workspaceId, { client: id, name, status: change });
  const noted = { name, hosts: [...(client.hosts ?? known?.hosts ?? [])], status, changedAt: now };
  if (known) return tx.update(McpClientTable, known, noted);
  return tx.insert(McpClientTable, { id, ...noted });
}

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
    const member = requireFound(await tx.find(MembershipTable, { id: input.membershipId, leftAt: null }), 'The member');
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
  const made = { id: newId(), principalId: newId(), lastUsedAt: null, revokedAt: null };
  return tx.insert(McpConnectionTable, { ...given, ...made });
}

/**
 * Allows a revoked connection of an external issuer again, as a new one with its own principal. With the embedded
 * server, a new consent does that.
 */
export const renewMcpConnection = defineCommand('mcp-connection.renew', {
  who: { ...MEMBERS_OR_INTERNAL, needsRecentPassword: true },
  decide: async (tx, { id }: { id: string }): Promise<McpConnection> => {
    const ended = requireFound(await tx.lock(McpConnectionTable, id), 'The connection');
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
    const connection = requireFound(await tx.lock(McpConnectionTable, id), 'The connection');
    const { clientId, membershipId } = connection;
    requireConnectionManager(tx.origin.actor, membershipId);
    const client = await tx.find(McpClientTable, { id: clientId });
    const member = await tx.find(MembershipTable, { id: membershipId });
    const ended = connection.revokedAt === null ? await endConnection(tx, connection) : connection;
    return toMcpConnection({ ...ended, clientName: client!.name, memberName: member!.name });
  },
});
