import type { OrderPage } from '@payroll/provider-protocol';
import type { Instant } from '@payroll/kernel';
import type { TableRow } from '@payroll/store';
import { metrics, withSpan } from '@payroll/runtime';
import type { ProviderPayout, PayoutTerms } from '../domain/payout.js';
import type { Recipient } from '../domain/unclaimed-order.js';
import type { PayoutAttemptTable } from '../store/money-tables.js';

/** Everything the provider is sent about an order. */
export interface PayoutOrder extends PayoutTerms {
  /** Two orders with the same key are one payout. */
  idempotencyKey: string;
  recipient: Recipient;
}

/** An order that may be sent now. `validUntil` is read from the attempt's row just before. */
export interface ValidOrder extends PayoutOrder {
  /** The provider refuses the order from then on, so a process that was suspended pays nothing when it wakes. */
  validUntil: Instant;
}

/** Moves the money. Any call may fail with an unknown outcome and is then repeated; the signal aborts it. */
export interface OrderingProvider {
  /** Returns the first order and its outcome for a known key, even if the new order differs, and never pays twice. */
  submit(order: ValidOrder, signal: AbortSignal): Promise<ProviderPayout>;
  /** The order with this key; null if none has arrived. */
  lookUp(order: Pick<PayoutOrder, 'idempotencyKey'>, signal: AbortSignal): Promise<ProviderPayout | null>;
}

export interface PayoutProvider extends OrderingProvider {
  /**
   * Permanently declines an order that has not arrived, so that it pays nothing later; any other order stays as it
   * is.
   */
  cancel(order: PayoutOrder, signal: AbortSignal): Promise<ProviderPayout>;
  /**
   * A page of the orders received at that time or later, oldest first. `after` is the `next` of the previous page.
   */
  ordersSince(since: Instant, after: string | null, signal: AbortSignal): Promise<OrderPage>;
}

type Ordered = Pick<
  TableRow<typeof PayoutAttemptTable>,
  'workspaceId' | 'workerId' | 'idempotencyKey' | 'payoutMethod' | 'destination' | 'amount' | 'currency'
>;

/** The order of an attempt, the same for every submission; or an unclaimed order as it was sent. */
export function orderOf({ workspaceId, workerId, idempotencyKey, ...terms }: Ordered): PayoutOrder {
  const { payoutMethod, destination, amount, currency } = terms;
  const recipient = { workspaceId, workerId };
  return { idempotencyKey, payoutMethod, destination, amount: { amount, currency }, recipient };
}

/** Calls the provider, and counts the call by its outcome: `error` if it fails. */
export async function timedCall<Answer>(
  call: () => Promise<Answer>,
  outcomeOf: (answer: Answer) => string,
): Promise<Answer> {
  const startedAt = performance.now();
  let outcome = 'error';
  try {
    const answer = await withSpan('ask payout provider', { kind: 'client' }, call);
    outcome = outcomeOf(answer);
    return answer;
  } finally {
    metrics.payoutCalls.since(startedAt, { outcome });
  }
}
