import { DomainError, type ErrorDetail, hoursAfter, type Instant } from '@payroll/kernel';
import { problemsOfEmail } from './workspace.js';

/** The mailed link works only in a browser that is signed in to the account, so it may be opened later. */
export const LINK_HOURS = 24;
/** To all new addresses of an account. */
export const LINKS_A_DAY = 5;
/** Long enough for a week off, in which the owner reads no mail. */
export const UNDO_DAYS = 7;
/** How long mails about money go to a former address too. */
export const FORMER_DAYS = 30;

interface Change {
  expiresAt: Instant;
  changedAt: Instant | null;
  undoneAt: Instant | null;
}

export function problemsOfNewAddress(email: string, current: string): ErrorDetail[] {
  return email === current ? [{ path: 'email', code: 'same' }] : problemsOfEmail('email', email);
}

/** Whether its link changes the address: it is neither used nor replaced by a later one. */
export function isRequested({ expiresAt, changedAt }: Change, now: Instant): boolean {
  return changedAt === null && expiresAt > now;
}

export function canBeUndone({ changedAt, undoneAt }: Change, now: Instant): boolean {
  return changedAt !== null && undoneAt === null && hoursAfter(changedAt, UNDO_DAYS * 24) > now;
}

/**
 * A person is known by their address (ADR 18): with another one, a member of staff could verify payout details that they
 * entered themselves.
 * @throws DomainError `INVALID_STATE`
 */
export function requireNoStaff(isStaff: boolean): void {
  if (isStaff) throw new DomainError('INVALID_STATE', STAFF);
}

const STAFF =
  'This address names you as one of the people who run this service, so it stays. Ask for your internal tokens to be revoked first.';

interface Others {
  /** Whether another account is verified with the new address. */
  isTaken: boolean;
  /** Workspaces of the account in which another member or worker has it. */
  workspaces: readonly string[];
}

/** Only a person who reads the mail of the new address learns this. @throws DomainError `INVALID_STATE` */
export function requireFree({ isTaken, workspaces }: Others): void {
  if (isTaken) throw new DomainError('INVALID_STATE', 'Another account has this address already. Use another address.');
  if (workspaces.length === 0) return;
  const message = `Another member or worker of ${workspaces.join(', ')} has this address. Ask an admin there, or use another address.`;
  throw new DomainError('INVALID_STATE', message);
}
