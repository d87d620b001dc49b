import {
  dayOf,
  DomainError,
  follow,
  type CalendarDate,
  type Instant,
  type StateMachine,
  type FailureReason,
  type PaymentStatus,
} from '@payroll/kernel';
import type { MoneyValue } from './money-value.js';

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

/** @throws DomainError `INVALID_STATE` unless it pays itself and its day has come. */
export function requireDue(
  { autoPayEnabled, scheduledDate }: { autoPayEnabled: boolean; scheduledDate: CalendarDate | null },
  now: Instant,
): void {
  if (autoPayEnabled && (scheduledDate === null || scheduledDate <= dayOf(now))) return;
  throw new DomainError('INVALID_STATE', 'The payment is not due, or waits for somebody to pay it by hand.');
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
