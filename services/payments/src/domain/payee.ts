import { DomainError, follow, type Actor, type Instant, type StateMachine } from '@payroll/kernel';

export const VERIFICATION_STATUSES = ['unverified', 'verified', 'rejected'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export type PayeeEdge = 'verify' | 'reject' | 'change';

/** A decision holds for one destination: a changed one is verified anew. */
const payeeMachine: StateMachine<VerificationStatus, PayeeEdge> = {
  unverified: { verify: 'verified', reject: 'rejected', change: 'unverified' },
  verified: { change: 'unverified' },
  rejected: { change: 'unverified' },
};

/** @throws DomainError `INVALID_STATE` when the edge does not leave that state. */
export function followPayee(from: VerificationStatus, edge: PayeeEdge): VerificationStatus {
  return follow(payeeMachine, 'payee', from, edge);
}

/** Who is recorded as having entered a destination: a person, or the application on behalf of the worker. */
export function changerOf(actor: Actor): string {
  if (actor.kind === 'person') return `member:${actor.principalId}`;
  return actor.kind === 'staff' ? actor.person : 'application';
}

/** @throws DomainError `STALE_RESOURCE_VERSION` when it has changed since; a member of the workspace says what they saw. */
export function requireSeen(payee: { updatedAt: Instant }, actor: Actor, version: string | undefined): void {
  const isFree = version === undefined && actor.kind !== 'person';
  if (isFree || payee.updatedAt === version) return;
  throw new DomainError('STALE_RESOURCE_VERSION', 'This has changed since you saw it. Fetch it and look again.');
}

/**
 * Money is redirected by two people (ADR 0017): who verifies a destination names the version they saw, and did not enter
 * it.
 * @throws DomainError `STALE_RESOURCE_VERSION` when it has changed since, `INSUFFICIENT_SCOPE` when it takes another
 * person, `INVALID_STATE` when it is unknown who entered it.
 */
export function requireSecondPerson(
  payee: { updatedAt: Instant; changedBy: string | null },
  { person, version }: { person: string; version: string },
): void {
  if (payee.updatedAt !== version) {
    throw new DomainError('STALE_RESOURCE_VERSION', 'This has changed since you saw it. Fetch it and look again.');
  }
  if (payee.changedBy === null) {
    throw new DomainError('INVALID_STATE', 'It is not known who entered this destination: enter it anew.');
  }
  if (payee.changedBy.toLowerCase() === person.toLowerCase()) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'You entered this yourself: it takes a second person to verify it.');
  }
}
