import {
  DomainError,
  follow,
  isMember,
  refuseUnlisted,
  type Actor,
  type Instant,
  type StateMachine,
} from '@payroll/kernel';
import { isSamePerson } from './person.js';

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
  switch (actor.kind) {
    case 'person':
    case 'staff':
      return actor.person;
    case 'service':
    case 'system':
      return 'application';
    case 'api_key':
    case 'connection':
      throw new DomainError('INSUFFICIENT_SCOPE', 'Payout details are entered in the application.');
    default:
      return refuseUnlisted(actor);
  }
}

/** @throws DomainError `STALE_RESOURCE_VERSION` when it has changed since; a member of the workspace says what they saw. */
export function requireSeen(payee: { updatedAt: Instant }, actor: Actor, version: string | undefined): void {
  if (payee.updatedAt === version || (version === undefined && !isMember(actor))) return;
  throw new DomainError('STALE_RESOURCE_VERSION', 'This has changed since you saw it. Fetch it and look again.');
}

interface Verification {
  person: string;
  /** The version that the verifier saw. */
  version: string;
  /** As the worker gave it by another channel. */
  destination: string;
}

/**
 * Money is redirected by two people (ADR 18): who verifies a destination names the version they saw, did not enter it,
 * and has it from the worker, as they are shown four characters of it.
 * @throws DomainError `STALE_RESOURCE_VERSION` when it has changed since, `INSUFFICIENT_SCOPE` when it takes another
 * person, `INVALID_STATE` when it is unknown who entered it, `VALIDATION_FAILED` when the worker gave another one.
 */
export function requireSecondPerson(
  payee: { updatedAt: Instant; changedBy: string | null; destination: string },
  { person, version, destination }: Verification,
): void {
  if (payee.updatedAt !== version) {
    throw new DomainError('STALE_RESOURCE_VERSION', 'This has changed since you saw it. Fetch it and look again.');
  }
  if (payee.changedBy === null) {
    throw new DomainError('INVALID_STATE', 'It is not known who entered this destination: enter it anew.');
  }
  if (isSamePerson(payee.changedBy, person)) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'You entered this yourself: it takes a second person to verify it.');
  }
  if (withoutSpaces(payee.destination) !== withoutSpaces(destination)) {
    const details = [{ path: 'destination', code: 'differs' }];
    throw new DomainError('VALIDATION_FAILED', 'This is not the destination that was entered: ask the worker again.', {
      details,
    });
  }
}

/** An IBAN is written in groups of four, or in one piece. Letters count: in a wallet's address their case may. */
function withoutSpaces(destination: string): string {
  return destination.replaceAll(/\s/g, '');
}
