import { unavailable } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { as, columns, sql, type TableRow } from '@payroll/store';
import { keysBegin } from '../domain/payout.js';
import { mayHavePaid } from '../store/holds.js';
import { IS_COMPARED } from '../store/is-compared.js';
import { UnclaimedOrderTable } from '../store/money-tables.js';
import type { PayeeTable } from '../store/tables.js';
import type { PaymentRow } from './payment.js';

type Destination = Pick<TableRow<typeof PayeeTable>, 'payoutMethod' | 'destination'>;

export const HELD =
  'The payout provider has an order to this worker that matches no payment here. Finance has to say what it was for.';

/**
 * The key of an unclaimed order to this worker: it may have paid for this work, under an id that was lost in a
 * restore.
 * @throws DomainError `SERVICE_UNAVAILABLE` until the provider's orders have been compared (ADR 04)
 */
export async function findHold(
  tx: CommandTransaction,
  workerId: string | null,
  to: Destination | null,
): Promise<string | null> {
  const [compared] = await tx.read(sql`select ${as('is', 'boolean', IS_COMPARED)}`);
  if (!compared!.is) throw unavailable('The comparison with the payout provider');
  const isHeld = mayHavePaid(
    sql`${workerId}::uuid`,
    sql`${to?.payoutMethod ?? null}::text`,
    sql`${to?.destination ?? null}::text`,
  );
  const [order] = await tx.read(
    sql`select ${columns(UnclaimedOrderTable, 'idempotencyKey')} from unclaimed_order
      where workspace_id = ${tx.workspaceId} and ${isHeld}
      order by ordered_at limit 1`,
  );
  return order?.idempotencyKey ?? null;
}

type UnclaimedOrder = TableRow<typeof UnclaimedOrderTable>;

/** Orders for the payment's own work that no payment here had made when they were found, whatever became of them. */
export async function findOrdersOfWork(
  tx: CommandTransaction,
  { sourceType: type, sourceId: id }: PaymentRow,
): Promise<UnclaimedOrder[]> {
  const found = await tx.read(
    sql`select ${columns(UnclaimedOrderTable, 'id')} from unclaimed_order
      where workspace_id = ${tx.workspaceId} and starts_with(idempotency_key, ${keysBegin({ type, id })})
      order by ordered_at`,
  );
  const orders = await Promise.all(found.map((order) => tx.lock(UnclaimedOrderTable, order.id)));
  return orders.filter((order) => order !== null);
}
