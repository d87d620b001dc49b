import {
  DomainError,
  follow,
  PAYMENT_METHODS,
  type Actor,
  type Instant,
  type PaymentMethod,
  type StateMachine,
} from '@payroll/kernel';

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
  /** Stands for where the money goes as somebody saw it; another one whenever anything has changed. */
  version: string;
  /** Who entered where the money goes, by e-mail address, or `application`. */
  changedBy: string | null;
  verifiedBy: string | null;
  createdAt: Instant;
  updatedAt: Instant;
}

/** Who is remembered to have entered a destination: a person, or the application in the name of the worker. */
export function changerOf(actor: Actor): string {
  return actor.kind === 'staff' ? actor.person : 'application';
}

/**
 * Money is redirected by two people (ADR 0017): who verifies a destination names what they saw, and has not entered it.
 * @throws DomainError `STALE_RESOURCE_VERSION` when it is another by now, `INSUFFICIENT_SCOPE` where it takes somebody
 * else, `INVALID_STATE` when nobody knows who entered it.
 */
export function requireSecondPerson(
  payee: { updatedAt: Instant; changedAt: Instant | null; changedBy: string | null },
  { person, version }: { person: string; version: string },
): void {
  if (payee.updatedAt !== version) {
    throw new DomainError('STALE_RESOURCE_VERSION', 'This has changed since you saw it. Fetch it and look again.');
  }
  if (payee.changedBy === null || payee.changedAt !== payee.updatedAt) {
    throw new DomainError('INVALID_STATE', 'It is not known who entered this destination: enter it anew.');
  }
  if (payee.changedBy.toLowerCase() === person.toLowerCase()) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'You entered this yourself: it takes a second person to verify it.');
  }
}

export function destinationEnding(destination: string): string {
  return destination.slice(-4);
}
