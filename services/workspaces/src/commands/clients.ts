import { ADMINS_OR_INTERNAL, MEMBERS_OR_INTERNAL, notFound, throwIfInvalid } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import type { ClientStatus } from '../domain/connection.js';
import { type McpClient, toMcpClient } from '../store/views.js';
import { problemsOfName } from '../domain/workspace.js';
import { McpClientTable, McpConnectionTable } from '../store/oauth-tables.js';
import { endConnection, requireRecentPassword } from './access.js';

/** Omitted hosts keep their value. */
export type ClientFacts = Pick<McpClient, 'id' | 'name'> & { hosts?: readonly string[] };

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
    const client = await tx.find(McpClientTable, { id });
    if (!client) throw notFound('The client');
    const disabled = await setClientStatus(tx, client, 'disabled');
    const connections = await tx.all(McpConnectionTable, { clientId: id, revokedAt: null });
    for (const connection of connections) await endConnection(tx, connection);
    return toMcpClient(disabled);
  },
});

/** Many ids are addresses of metadata documents. An index of Postgres holds at most 2.7 kB. */
const MAX_ID_LENGTH = 2_000;

/** Sets a client's status in the workspace, and creates its row at first use. */
export async function setClientStatus(
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
  return tx.insert(McpClientTable, { workspaceId, id, ...noted, createdAt: now });
}
