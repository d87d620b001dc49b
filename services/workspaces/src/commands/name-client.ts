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
export async function nameClient(tx: CommandTransaction, client: ClientFacts, status: ClientStatus): Promise<void> {
  const { workspaceId, now } = tx;
  refuseProblems(
    [...problemsOfName('id', client.id), ...problemsOfName('name', client.name)],
    'A client has an id and a name.',
  );
  const { id, name, hosts } = client;
  const known = await tx.em.findOne(McpClientTable, { workspaceId, id });
  if (known?.status === status) return;
  tx.audit(`mcp-client.${status}`, workspaceId, {
    client: id,
    name,
    status: { from: known?.status ?? null, to: status },
  });
  if (known) Object.assign(known, { name, hosts: [...hosts], status, changedAt: now });
  else
    tx.em.persist(
      tx.em.create(McpClientTable, {
        workspaceId,
        id,
        name,
        hosts: [...hosts],
        status,
        createdAt: now,
        changedAt: now,
      }),
    );
}
