import { unavailable } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { computed, sql, type TableRow } from '@payroll/store';
import { mayHavePaid } from '../store/holds.js';
import { IS_COMPARED } from '../store/is-compared.js';
import type { PayeeTable } from '../store/tables.js';

type Destination = Pick<TableRow<typeof PayeeTable>, 'destination'>;

export const HELD =
  'The payout provider has an order to this worker that matches no payment here. Finance has to say what it was for.';

/**
 * Whether there is an unclaimed order to this worker: it may have paid for this work, under an id that was lost in a
 * restore. Complete once the provider's orders have been compared (`requireCompared`).
 */
export async function isHeldByOrder(
  tx: CommandTransaction,
  workerId: string | null,
  to: Destination | null,
): Promise<boolean> {
  const paidIt = mayHavePaid(sql`${workerId}::uuid`, sql`${to?.destination ?? null}::text`);
  const [held] = await tx.read(
    sql`select ${computed(
      'is',
      'boolean',
      sql`exists (
      select from unclaimed_order where workspace_id = ${tx.workspaceId} and ${paidIt})`,
    )}`,
  );
  return held!.is;
}

/** @throws DomainError `SERVICE_UNAVAILABLE` until the provider's orders have been compared (ADR 04) */
export async function requireCompared(tx: CommandTransaction): Promise<void> {
  const [compared] = await tx.read(sql`select ${computed('is', 'boolean', IS_COMPARED)}`);
  if (!compared!.is) throw unavailable('The comparison with the payout provider');
}
