import { keyOf, type EntityKey } from '@payroll/subgraph';
import { sql, type AliasedRawBuilder } from 'kysely';

/** Of each contract; more are read from the lists with their `contractId`. */
export const NEWEST = 50;

/** The contracts asked for, as something to select from: one statement serves them all. */
export function askedContracts(
  keys: readonly EntityKey[],
): AliasedRawBuilder<{ workspace_id: string; contract_id: string }, 'asked'> {
  const workspaceIds = keys.map((key) => key.workspaceId);
  const contractIds = keys.map((key) => key.id);
  return sql<{ workspace_id: string; contract_id: string }>`
    unnest(${workspaceIds}::uuid[], ${contractIds}::uuid[])`.as<'asked'>(sql`asked (workspace_id, contract_id)`);
}

/** Rows under the keys of their contracts, in the order they came. */
export function groupByContract<Row extends { workspaceId: string; contractId: string }, Work>(
  rows: readonly Row[],
  toWork: (row: Row) => Work,
): Map<string, Work[]> {
  const groups = Map.groupBy(rows, ({ workspaceId, contractId }) => keyOf({ workspaceId, id: contractId }));
  return new Map([...groups].map(([key, group]) => [key, group.map(toWork)]));
}
