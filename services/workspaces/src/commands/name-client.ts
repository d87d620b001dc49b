import type { InferEntity } from '@mikro-orm/core';
import { refuseProblems } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import type { ClientStatus } from '../domain/connection.js';
import { problemsOfName } from '../domain/problems.js';
import { McpClientTable } from '../store/oauth-tables.js';

/** What a workspace remembers of a client, for its people to recognise it by. */
export interface ClientFacts {
  id: string;
  name: string;
  hosts: readonly string[];
}

/** Notes what the workspace says about a client, which it may hear of for the first time. */
export async function nameClient(
  tx: CommandTransaction,
  client: ClientFacts,
  status: ClientStatus,
): Promise<InferEntity<typeof McpClientTable>> {
  const { workspaceId, now } = tx;
  refuseProblems(
    [...problemsOfName('id', client.id), ...problemsOfName('name', client.name)],
    'A client has an id and a name.',
  );
  const { id, name } = client;
  const known = await tx.em.findOne(McpClientTable, { workspaceId, id });
  if (known?.status === status) return known;
  tx.audit(`mcp-client.${status}`, workspaceId, {
    client: id,
    name,
    status: { from: known?.status ?? null, to: status },
  });
  const noted = { name, hosts: [...client.hosts], status, changedAt: now };
  if (known) return Object.assign(known, noted);
  const first = tx.em.create(McpClientTable, { workspaceId, id, ...noted, createdAt: now });
  tx.em.persist(first);
  return first;
}
