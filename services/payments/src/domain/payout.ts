import type { FailureReason, Instant, Money } from '@payroll/kernel';
import type { MoneyValue } from './money-value.js';
import type { PayoutMethod, VerificationStatus } from './payee.js';

/**
 * prepared: committed here, and perhaps known to the provider · submitted: the provider has it · settled and declined:
 * its last word.
 */
export const ATTEMPT_STATUSES = ['prepared', 'submitted', 'settled', 'declined'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** One try to pay a payment out, as its readers see it. */
export interface PayoutAttempt {
  paymentId: string;
  /** From 1; a new one only after the provider has declined the one before. */
  number: number;
  status: AttemptStatus;
  payeeId: string;
  payoutMethod: PayoutMethod;
  amount: MoneyValue;
  providerReference: string | null;
  createdAt: Instant;
  updatedAt: Instant;
}

/** What a provider says became of a try. After `submitted` more is to come; the other two are its last word. */
export interface PayoutAnswer {
  status: 'submitted' | 'settled' | 'declined';
  /** The provider's own name for the payout. */
  reference: string;
}

/** The name a try is submitted under: the same key is paid at most once, however often it is submitted. */
export function idempotencyKey({ paymentId, number }: { paymentId: string; number: number }): string {
  return `${paymentId}:${number}`;
}

export interface PayoutSituation<Payee> {
  payee: Payee | null;
  kybStatus: string | null;
  /** What the workspace can spend in the currency of `net`. */
  available: Money;
  net: Money;
}

export type PayoutDecision<Payee> =
  | { kind: 'pay'; payee: Payee }
  /** Deductions took all of it: there is nothing to submit. */
  | { kind: 'nothing_to_pay' }
  | { kind: 'refuse'; reason: FailureReason };

/** Whether a payment can be paid out now. What concerns the people comes before what concerns the money. */
export function decidePayout<Payee extends { verificationStatus: VerificationStatus }>({
  payee,
  kybStatus,
  available,
  net,
}: PayoutSituation<Payee>): PayoutDecision<Payee> {
  if (!net.isPositive()) return { kind: 'nothing_to_pay' };
  if (payee === null) return { kind: 'refuse', reason: 'payee_missing' };
  if (payee.verificationStatus !== 'verified') return { kind: 'refuse', reason: 'payee_unverified' };
  if (kybStatus !== 'verified') return { kind: 'refuse', reason: 'business_unverified' };
  if (available.compare(net) < 0) return { kind: 'refuse', reason: 'insufficient_funds' };
  return { kind: 'pay', payee };
}
