import type { KnownPayout, PayoutTerms } from '../domain/payout.js';

/** Everything a provider gets to know of an attempt. */
export interface PayoutOrder extends PayoutTerms {
  /** Two orders with the same key are one payout. */
  idempotencyKey: string;
  attempt: number;
}

/** Who moves the money. Either call may fail with its outcome unknown, and is then repeated; the signal aborts it. */
export interface PayoutProvider {
  /** A known key is answered with its first order and outcome, whatever the new one says, and pays nothing again. */
  submit(order: PayoutOrder, signal: AbortSignal): Promise<KnownPayout>;
  /** What it knows under the order's key; null when nothing with that key has arrived. */
  lookUp(order: PayoutOrder, signal: AbortSignal): Promise<KnownPayout | null>;
}
