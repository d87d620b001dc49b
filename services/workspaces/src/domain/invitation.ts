import { DomainError, type Instant } from '@payroll/kernel';
import type { Invitation } from './workspace.js';

/** Long enough to come back from a week off; a link that lies in a mailbox longer opens nothing. */
export const INVITATION_DAYS = 7;

export function isOpen(
  { acceptedAt, revokedAt, expiresAt }: Pick<Invitation, 'acceptedAt' | 'revokedAt' | 'expiresAt'>,
  now: Instant,
): boolean {
  return acceptedAt === null && revokedAt === null && expiresAt > now;
}

/** A link that was used, taken back or left lying too long. */
export function invitationOver(): DomainError {
  return new DomainError('NOT_FOUND', 'This invitation was used, taken back or is too old. Ask for a new one.');
}
