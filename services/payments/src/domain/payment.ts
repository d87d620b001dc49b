import {
  dayOf,
  DomainError,
  follow,
  Money,
  type CalendarDate,
  type FailureReason,
  type Instant,
  type PaymentStatus,
  type StateMachine,
} from '@payroll/kernel';
import { invalid, type MoneyValue } from './values.js';

export type PaymentEdge = 'process' | 'complete' | 'fail' | 'cancel' | 'retry';

const paymentMachine: StateMachine<PaymentStatus, PaymentEdge> = {
  pending: { process: 'processing', cancel: 'cancelled' },
  processing: { complete: 'completed', fail: 'failed' },
  completed: {},
  failed: { retry: 'pending' },
  cancelled: {},
};

/** @throws DomainError `INVALID_STATE` when the edge does not leave that state. */
export function followPayment(from: PaymentStatus, edge: PaymentEdge): PaymentStatus {
  return follow(paymentMachine, 'payment', from, edge);
}

/** @throws DomainError `INVALID_STATE` unless it is paid automatically and its day has come. */
export function requireDue(
  { autoPayEnabled, scheduledDate }: { autoPayEnabled: boolean; scheduledDate: CalendarDate | null },
  now: Instant,
): void {
  if (autoPayEnabled && (scheduledDate === null || scheduledDate <= dayOf(now))) return;
  throw new DomainError('INVALID_STATE', 'The payment is not due, or waits for somebody to pay it by hand.');
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

/** A payment as its readers see it. Approved work is not paid work: `status` says how far it is. */
export interface Payment {
  id: string;
  contractId: string;
  timesheetId: string | null;
  milestoneId: string | null;
  status: PaymentStatus;
  grossAmount: MoneyValue;
  netAmount: MoneyValue;
  /** The UTC day it is due; null when it is due at once. */
  scheduledDate: CalendarDate | null;
  processedAt: Instant | null;
  completedAt: Instant | null;
  failureReason: FailureReason | null;
  createdAt: Instant;
  updatedAt: Instant;
}

/** A part of a payment's gross that the worker does not get, such as a tax or an advance. */
export interface Deduction {
  id: string;
  paymentId: string;
  name: string;
  amount: MoneyValue;
  createdAt: Instant;
}
