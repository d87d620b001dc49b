import type { KnownPayout, PayoutTerms } from '../domain/payout.js';

/** All that a provider is told of an attempt. */
export interface PayoutOrder extends PayoutTerms {
  /** Two orders with the same key are one payout. */
  idempotencyKey: string;
  attempt: number;
}

/**
 * Who moves the money. Both calls may fail at any time without a word of what happened: then it is asked again. They end
 * when their signal says so.
 */
export interface PayoutProvider {
  /**
   * Takes an order. One whose key it has seen is answered with the order it knows and what became of that, whatever is
   * asked for now, and nothing is paid again.
   */
  submit(order: PayoutOrder, signal: AbortSignal): Promise<KnownPayout>;
  /** What it knows under the order's key; null when nothing with that key has arrived. */
  lookUp(order: PayoutOrder, signal: AbortSignal): Promise<KnownPayout | null>;
}
