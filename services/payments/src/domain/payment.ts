import {
  type CalendarDate,
  DomainError,
  type FailureReason,
  type Instant,
  Money,
  type PaymentStatus,
  type StateMachine,
  transition,
  invalid,
} from '@payroll/kernel';
import type { VerificationStatus } from './payee.js';

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

/**
 * The next step of a payment that cannot go on by itself, in the words for its worker. `business` covers all failures that
 * the business has to end: a worker is not told its balance or its verification.
 */
export const MY_OBSTACLES = [
  'payee_missing',
  'payee_rejected',
  'payee_unverified',
  'provider_declined',
  'business',
  'finance',
] as const;
export type MyObstacle = (typeof MY_OBSTACLES)[number];

interface Standing {
  status: PaymentStatus;
  failureReason: FailureReason | null;
  autoPayEnabled: boolean;
  isHeld: boolean;
  isNothing: boolean;
  updatedAt: Instant;
  /** Null if the worker has no payout details. */
  payee: { verificationStatus: VerificationStatus; updatedAt: Instant } | null;
}

/** Null if it goes on by itself. A pending payment does not show whether the balance suffices. */
export function myObstacle({ status, failureReason, ...payment }: Standing): MyObstacle | null {
  if (payment.isHeld) return 'finance';
  if (status !== 'pending' && status !== 'failed') return null;
  const own = payment.isNothing ? null : ownPart(payment.payee);
  if (own !== null) return own;
  if (status === 'pending') return payment.autoPayEnabled ? null : 'business';
  const isAsDeclined = payment.payee !== null && payment.payee.updatedAt <= payment.updatedAt;
  return failureReason === 'provider_declined' && isAsDeclined ? 'provider_declined' : 'business';
}

function ownPart(payee: Standing['payee']): MyObstacle | null {
  if (payee === null) return 'payee_missing';
  switch (payee.verificationStatus) {
    case 'verified':
      return null;
    case 'unverified':
      return 'payee_unverified';
    case 'rejected':
      return 'payee_rejected';
  }
}
