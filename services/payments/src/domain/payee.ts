import type { PayoutChangeState } from '@payroll/events';
import {
  DomainError,
  transition,
  hoursAfter,
  invalid,
  memberOf,
  refuseUnlisted,
  type Actor,
  type Instant,
  type PaymentMethod,
  type StateMachine,
} from '@payroll/kernel';
import { comparable } from './destination.js';
import { isSamePerson } from './instruction.js';

export const VERIFICATION_STATUSES = ['unverified', 'verified', 'rejected'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export type PayeeEdge = 'verify' | 'reject' | 'change' | 'stop';

/**
 * A verification applies to one destination: a changed one has to be verified again. Stopping a change restores verified
 * details.
 */
const payeeMachine: StateMachine<VerificationStatus, PayeeEdge> = {
  unverified: { verify: 'verified', reject: 'rejected', change: 'unverified', stop: 'verified' },
  verified: { change: 'unverified', stop: 'verified' },
  rejected: { change: 'unverified', stop: 'verified' },
};

/** @throws DomainError `INVALID_STATE` if the state has no such edge. */
export function followPayee(from: VerificationStatus, edge: PayeeEdge): VerificationStatus {
  return transition(payeeMachine, 'payee', from, edge);
}

/**
 * Until when changed details are not paid to: the worker has time to notice that their verified details were replaced. First
 * details have no hold, since no known account is lost.
 * @param now by the calendar of the workspace
 */
export function holdOfChange(
  before: { verificationStatus: VerificationStatus; heldUntil: Instant | null },
  now: Instant,
  holdHours: number,
): Instant | null {
  const wasVerifiedOnce = before.verificationStatus === 'verified' || before.heldUntil !== null;
  return wasVerifiedOnce ? hoursAfter(now, holdHours) : null;
}

/** @param now by the calendar of the workspace */
export function isHeld({ heldUntil }: { heldUntil: Instant | null }, now: Instant): boolean {
  return heldUntil !== null && heldUntil > now;
}

/** The details that were paid to before a change, with their verification. Stopping the change restores them. */
export interface FormerDetails {
  holder: string | null;
  payoutMethod: PaymentMethod;
  destination: string;
  changedBy: string | null;
  /** The access of the worker who entered them. */
  enteredWith: string | null;
  verifiedBy: string | null;
}

/**
 * The details that a change of these would replace. Details that are on hold or not verified were never paid to and do not
 * become former ones: otherwise stopping the second of two changes would restore the first.
 * @param now by the calendar of the workspace
 */
export function formerOf(
  payee: FormerDetails & {
    verificationStatus: VerificationStatus;
    heldUntil: Instant | null;
    former: FormerDetails | null;
  },
  now: Instant,
): FormerDetails | null {
  if (payee.verificationStatus !== 'verified' || isHeld(payee, now)) return payee.former;
  const { holder, payoutMethod, destination, changedBy, enteredWith, verifiedBy } = payee;
  return { holder, payoutMethod, destination, changedBy, enteredWith, verifiedBy };
}

/** @param now by the calendar of the workspace */
export function stateOfChange(
  payee: { changeId: string | null; heldUntil: Instant | null; stoppedAt: Instant | null } | null,
  changeId: string,
  now: Instant,
): PayoutChangeState {
  if (payee === null || payee.changeId !== changeId) return 'over';
  if (payee.stoppedAt !== null) return 'stopped';
  return isHeld(payee, now) ? 'waiting' : 'over';
}

/** Who is recorded as having entered a destination: a person, or the application on behalf of the worker. */
export function enteredBy(actor: Actor): string {
  switch (actor.kind) {
    case 'person':
    case 'worker':
    case 'staff':
      return actor.person;
    case 'service':
    case 'system':
      return 'application';
    case 'api_key':
    case 'connection':
      throw new DomainError('INSUFFICIENT_SCOPE', 'Payout details can only be entered in the application.');
    default:
      return refuseUnlisted(actor);
  }
}

/**
 * @throws DomainError `STALE_RESOURCE_VERSION` if it has changed since; members must give the version that they saw.
 */
export function requireSeen(payee: { updatedAt: Instant }, actor: Actor, version: string | undefined): void {
  if (version === undefined && memberOf(actor) === null) return;
  requireVersion(payee, version ?? null);
}

/** @throws DomainError `STALE_RESOURCE_VERSION` unless it is still what was seen, null for no payee. */
export function requireVersion(payee: { updatedAt: Instant } | null, version: string | null): void {
  if ((payee?.updatedAt ?? null) === version) return;
  throw new DomainError('STALE_RESOURCE_VERSION', 'This has changed since you saw it. Fetch it and look again.');
}

interface Verification {
  person: string;
  /** The version that the verifier saw. */
  version: string;
  /** As the worker gave it through another channel. */
  destination: string;
}

/**
 * Redirecting money takes two people (ADR 18): the verifier names the version they saw, did not enter it, and types
 * the destination as the worker gave it, since only four characters of it are shown.
 * @throws DomainError `STALE_RESOURCE_VERSION` if it has changed since, `INSUFFICIENT_SCOPE` if another person has to
 * verify, `INVALID_STATE` if it is unknown who entered it, `VALIDATION_FAILED` if the worker gave another one.
 */
export function requireSecondPerson(
  payee: { updatedAt: Instant; changedBy: string | null; destination: string },
  { person, version, destination }: Verification,
): void {
  if (payee.updatedAt !== version) {
    throw new DomainError('STALE_RESOURCE_VERSION', 'This has changed since you saw it. Fetch it and check it again.');
  }
  if (payee.changedBy === null) {
    throw new DomainError('INVALID_STATE', 'It is not known who entered this destination: enter it again.');
  }
  if (isSamePerson(payee.changedBy, person)) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'You entered this yourself: a second person has to verify it.');
  }
  if (comparable(payee.destination) !== comparable(destination)) {
    throw invalid('destination', 'differs', 'This is not the destination that was entered: ask the worker again.');
  }
}
