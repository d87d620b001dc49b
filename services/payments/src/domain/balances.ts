import type { Instant } from '@payroll/kernel';
import type { MoneyValue } from './money-value.js';

/** What a workspace can spend and what is about to leave it, one entry per currency in both lists. */
export interface Balances {
  available: MoneyValue[];
  /** The net of payments pending or processing. Of the latter it has left `available` already. */
  pending: MoneyValue[];
  /** The moment both were read. */
  asOf: Instant;
}
