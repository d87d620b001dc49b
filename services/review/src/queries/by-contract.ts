import { part } from '@payroll/store';
import { keyOf, type EntityKey } from '@payroll/subgraph';

/** Of each contract; more are read from the lists with their `contractId`. */
export const NEWEST = 50;

/** The contracts asked for, as something to select from: one statement serves them all. */
export function askedContracts(keys: readonly EntityKey[]) {
  return part`unnest(${keys.map(({ workspaceId }) => workspaceId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
    as asked (workspace_id, contract_id)`;
}

export interface OfContract {
  workspaceId: string;
  contractId: string;
}

/** Rows under the keys of their contracts, in the order they came. */
export function groupByContract<Row extends OfContract, Work>(
  rows: readonly Row[],
  toWork: (row: Row) => Work,
): Map<string, Work[]> {
  const groups = Map.groupBy(rows, ({ workspaceId, contractId }) => keyOf({ workspaceId, id: contractId }));
  return new Map([...groups].map(([key, group]) => [key, group.map(toWork)]));
}
