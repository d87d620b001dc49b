import { follow, type CalendarDate, type Instant, type StateMachine } from '@payroll/kernel';
import type { MoneyValue } from './money-value.js';

export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

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

/** Why a payment failed. Closed: a caller can act on each. */
export const FAILURE_REASONS = [
  'payee_missing',
  'payee_unverified',
  'business_unverified',
  'insufficient_funds',
  'provider_declined',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** What a payment is for. */
export const PAYMENT_SOURCES = ['timesheet', 'milestone'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

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
