import type { FailureReason, Instant, PaymentStatus } from '@payroll/kernel';
import type { VerificationStatus } from './payee.js';

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
