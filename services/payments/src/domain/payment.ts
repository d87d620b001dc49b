import {
  DomainError,
  transition,
  Money,
  type CalendarDate,
  type PaymentStatus,
  type StateMachine,
} from '@payroll/kernel';
import { invalid } from './values.js';

export type PaymentEdge = 'process' | 'complete' | 'fail' | 'cancel' | 'retry';

const paymentMachine: StateMachine<PaymentStatus, PaymentEdge> = {
  pending: { process: 'processing', cancel: 'cancelled' },
  processing: { complete: 'completed', fail: 'failed' },
  completed: {},
  failed: { retry: 'pending' },
  cancelled: {},
};

/**
 * A hold that two people of finance must resolve before the payment continues. unclaimed_order: the provider has an order to
 * the worker that no payment here has made, for other work than the payment's (ADR 04) · payout_alarm: its payout waits under an alarm.
 */
export const PAYMENT_HOLDS = ['unclaimed_order', 'payout_alarm'] as const;
export type PaymentHold = (typeof PAYMENT_HOLDS)[number];

/** @throws DomainError `INVALID_STATE` if the state has no such edge. */
export function followPayment(from: PaymentStatus, edge: PaymentEdge): PaymentStatus {
  return transition(paymentMachine, 'payment', from, edge);
}

/** @throws DomainError `INVALID_STATE` unless it is paid automatically and its date has come. */
export function requireDue(
  { autoPayEnabled, scheduledDate }: { autoPayEnabled: boolean; scheduledDate: CalendarDate | null },
  today: CalendarDate,
): void {
  if (autoPayEnabled && (scheduledDate === null || scheduledDate <= today)) return;
  throw new DomainError('INVALID_STATE', 'The payment is not due, or has to be paid by hand.');
}

/** @throws DomainError `VALIDATION_FAILED` if it would be below zero. */
export function netOf(gross: Money, deductions: readonly Money[]): Money {
  const net = deductions.reduce((left, deduction) => left.minus(deduction), gross);
  if (net.compare(Money.zero(gross.currency)) < 0) {
    throw invalid('amount', 'exceeds_gross', 'Deductions must not exceed the gross amount.');
  }
  return net;
}
