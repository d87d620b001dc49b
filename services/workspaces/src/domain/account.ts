import { type Instant, DomainError, type ErrorDetail, hoursAfter } from '@payroll/kernel';
import { problemsOfEmail } from './workspace.js';

/**
 * `updatedAt` as it was read with the password: it changes with the password, the address and the second factor, and when all
 * sign-ins end.
 */
export interface ReadAccount {
  accountId: string;
  updatedAt: Instant;
}

/** The canonical spelling of an address. Replaces U+0000, as HTML does, because Postgres refuses it. */
export function normalizeEmail(text: string): string {
  return text.normalize('NFC').trim().toLowerCase().replaceAll('\0', '\ufffd');
}

/** Wrong passwords are counted in windows that start with the first one. */
export const WINDOW_MINUTES = 5;

/**
 * Attempts are counted for each of these. Known browsers are counted separately: other people's wrong passwords do not lock
 * out the owner.
 */
export type Subject = {
  kind: 'address' | 'account' | 'device' | 'code' | 'code-device' | 'mail-from' | 'mail-to';
  name: string;
};

/** Five of a million codes, of which three are right. Limits of mails: low enough not to fill a mailbox, and not to let one sender request mails for many addresses. */
const QUOTAS: Readonly<Record<Subject['kind'], number>> = {
  address: 30,
  account: 10,
  device: 10,
  code: 5,
  'code-device': 5,
  'mail-from': 10,
  'mail-to': 3,
};

/** @param attempt `knownDevice` is the secret of the browser's cookie if one of the accounts knows it */
export function subjectsOf(attempt: { address: string; email: string; knownDevice: string | null }): Subject[] {
  const { address, email, knownDevice } = attempt;
  if (knownDevice !== null) return [{ kind: 'device', name: knownDevice }];
  return [
    { kind: 'address', name: address },
    { kind: 'account', name: email },
  ];
}

export type Count = Subject & {
  /** Attempts in this window, including this one. */
  used: number;
  resetSeconds: number;
};

/** Seconds until the next attempt; null if this attempt is allowed. */
export function waitForAttempt(counts: readonly Count[]): number | null {
  const over = counts.filter(({ kind, used }) => used > QUOTAS[kind]);
  return over.length === 0 ? null : Math.max(1, ...over.map(({ resetSeconds }) => resetSeconds));
}

/** The link mailed to a new address works only in a browser that is signed in to the account, so it may be opened later. */
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

/** Long enough for the owner to read the mail about it. */
export const CLOSING_DAYS = 7;

/** A workspace needs an admin. @throws DomainError `INVALID_STATE` that names the workspaces */
export function requireOtherAdmins(workspaces: readonly string[]): void {
  if (workspaces.length > 0) throw new DomainError('INVALID_STATE', onlyAdminOf(workspaces));
}

export function onlyAdminOf(workspaces: readonly string[]): string {
  return `You are the only admin of ${workspaces.join(', ')}. Make somebody else an admin there first.`;
}
