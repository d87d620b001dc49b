import { Money, type Instant } from '@payroll/kernel';
import { invalid } from './entered.js';
import type { MoneyValue } from './money-value.js';

/** A part of a payment's gross that the worker does not get, such as a tax or an advance. */
export interface Deduction {
  id: string;
  paymentId: string;
  name: string;
  amount: MoneyValue;
  createdAt: Instant;
}

/**
 * What is left of the gross after every deduction.
 * @throws DomainError `VALIDATION_FAILED` when it would be less than nothing.
 */
export function netOf(gross: Money, deductions: readonly Money[]): Money {
  const net = deductions.reduce((left, deduction) => left.minus(deduction), gross);
  if (net.compare(Money.zero(gross.currency)) < 0) {
    throw invalid('amount', 'exceeds_gross', 'Deductions are at most the gross amount.');
  }
  return net;
}
