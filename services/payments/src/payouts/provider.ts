import type { MoneyValue } from '../domain/money-value.js';
import type { PayoutMethod } from '../domain/payee.js';
import type { PayoutAnswer } from '../domain/payout.js';

/** All that a provider is told of an attempt. */
export interface PayoutOrder {
  /** Two orders with the same key are one payout. */
  idempotencyKey: string;
  attempt: number;
  amount: MoneyValue;
  payoutMethod: PayoutMethod;
  destination: string;
}

/**
 * Who moves the money. Both calls may fail at any time without a word of what happened: then it is asked again. They end
 * when their signal says so.
 */
export interface PayoutProvider {
  /** Takes an order; one whose key it has seen is answered with what became of it, and nothing is paid again. */
  submit(order: PayoutOrder, signal: AbortSignal): Promise<PayoutAnswer>;
  /** What became of an order; null when none with that key has arrived. */
  lookUp(idempotencyKey: string, signal: AbortSignal): Promise<PayoutAnswer | null>;
}
