import { follow, PAYMENT_METHODS, type Instant, type PaymentMethod, type StateMachine } from '@payroll/kernel';

/** The words of the contract's invoicing settings (public-api.md §4). */
export const PAYOUT_METHODS = PAYMENT_METHODS;
export type PayoutMethod = PaymentMethod;

export const VERIFICATION_STATUSES = ['unverified', 'verified', 'rejected'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export type PayeeEdge = 'verify' | 'reject' | 'change';

/** A decision is about one destination: a changed one is decided anew. */
const payeeMachine: StateMachine<VerificationStatus, PayeeEdge> = {
  unverified: { verify: 'verified', reject: 'rejected', change: 'unverified' },
  verified: { change: 'unverified' },
  rejected: { change: 'unverified' },
};

/** @throws DomainError `INVALID_STATE` when the edge does not leave that state. */
export function followPayee(from: VerificationStatus, edge: PayeeEdge): VerificationStatus {
  return follow(payeeMachine, 'payee', from, edge);
}

/** Where a worker's money goes, as its readers see it. */
export interface Payee {
  id: string;
  workerId: string;
  payoutMethod: PayoutMethod;
  /** The last four characters of the destination, enough to recognize it; all of it only the provider is told. */
  destinationEnding: string;
  verificationStatus: VerificationStatus;
  rejectionReason: string | null;
  createdAt: Instant;
  updatedAt: Instant;
}

export function destinationEnding(destination: string): string {
  return destination.slice(-4);
}
