import type { OrderPage } from '@payroll/provider-protocol';
import type { Instant } from '@payroll/kernel';
import type { TableRow } from '@payroll/store';
import type { KnownPayout, PayoutTerms } from '../domain/payout.js';
import type { Recipient } from '../domain/unclaimed-order.js';
import type { PayoutAttemptTable } from '../store/money-tables.js';

/** Everything a provider gets to know of an attempt. */
export interface PayoutOrder extends PayoutTerms {
  /** Two orders with the same key are one payout. */
  idempotencyKey: string;
  attempt: number;
  recipient: Recipient;
}

/** An order that may leave now. The moment comes from the attempt's row, which is read for it just before. */
export interface ValidOrder extends PayoutOrder {
  /** The provider refuses the order from then on, so a process that was suspended pays nothing when it wakes. */
  validUntil: Instant;
}

/** Who moves the money. Any call may fail with its outcome unknown, and is then repeated; the signal aborts it. */
export interface OrderingProvider {
  /** A known key is answered with its first order and outcome, whatever the new one says, and pays nothing again. */
  submit(order: ValidOrder, signal: AbortSignal): Promise<KnownPayout>;
  /** What it knows under the order's key; null when nothing with that key has arrived. */
  lookUp(order: Pick<PayoutOrder, 'idempotencyKey'>, signal: AbortSignal): Promise<KnownPayout | null>;
}

export interface PayoutProvider extends OrderingProvider {
  /** An order that never arrived is declined for good, and pays nothing when it arrives later; any other stays what it is. */
  cancel(order: PayoutOrder, signal: AbortSignal): Promise<KnownPayout>;
  /** A page of the orders that it got at that moment or later, oldest first. `after` is the `next` of the page before. */
  ordersSince(since: Instant, after: string | null, signal: AbortSignal): Promise<OrderPage>;
}

type Ordered = Pick<
  TableRow<typeof PayoutAttemptTable>,
  'workspaceId' | 'workerId' | 'idempotencyKey' | 'number' | 'payoutMethod' | 'destination' | 'amount' | 'currency'
>;

/** What the provider is sent for an attempt: every submission of it is the same. */
export function orderOf({ workspaceId, workerId, idempotencyKey, number: attempt, ...terms }: Ordered): PayoutOrder {
  const { payoutMethod, destination, amount, currency } = terms;
  const recipient = { workspaceId, workerId };
  return { idempotencyKey, attempt, payoutMethod, destination, amount: { amount, currency }, recipient };
}
