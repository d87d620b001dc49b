export interface BalanceRow {
  asOf: string;
  /** Null in the single row of a workspace without money. */
  currency: string | null;
  available: string;
  pending: string;
}

export function balancesOf(rows: readonly BalanceRow[]): object {
  const sums = (name: 'available' | 'pending') =>
    rows.flatMap((row) => (row.currency === null ? [] : [{ amount: row[name], currency: row.currency }]));
  return { available: sums('available'), pending: sums('pending'), asOf: rows[0]!.asOf };
}
