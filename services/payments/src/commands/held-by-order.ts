import { unavailable } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { computed, sql, type TableRow } from '@payroll/store';
import { mayHavePaid, IS_COMPARED } from '../store/holds.js';
import type { PayeeTable } from '../store/tables.js';

type Destination = Pick<TableRow<typeof PayeeTable>, 'destination'>;

export const HELD =
  'The payout provider has an order to this worker that matches no payment here. Finance has to say what it was for.';

/**
 * Whether there is an unclaimed order to this worker: it may have paid for this work, under an id that was lost in a
 * restore.
 * @throws DomainError `SERVICE_UNAVAILABLE` until the provider's orders have been compared (ADR 04)
 */
export async function isHeldByOrder(
  tx: CommandTransaction,
  workerId: string | null,
  to: Destination | null,
): Promise<boolean> {
  const mayBePaid = mayHavePaid(sql`${workerId}::uuid`, sql`${to?.destination ?? null}::text`);
  const held = sql`exists (select from unclaimed_order where workspace_id = ${tx.workspaceId} and ${mayBePaid})`;
  const [found] = await tx.read(
    sql`select ${computed('isCompared', 'boolean', IS_COMPARED)}, ${computed('isHeld', 'boolean', held)}`,
  );
  if (!found!.isCompared) throw unavailable('The comparison with the payout provider');
  return found!.isHeld;
}
