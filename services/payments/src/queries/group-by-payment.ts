import { keyOf } from '@payroll/subgraph';

/** Rows of many payments by their payments' keys, in the order they came. */
export function groupByPayment<Row extends { workspaceId: string; paymentId: string }, Node>(
  rows: readonly Row[],
  toNode: (row: Row) => Node,
): Map<string, Node[]> {
  const groups = Map.groupBy(rows, ({ workspaceId, paymentId }) => keyOf({ workspaceId, id: paymentId }));
  return new Map([...groups].map(([key, group]) => [key, group.map(toNode)]));
}
