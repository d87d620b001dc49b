import type { Instant } from '@payroll/kernel';

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
  ...{ address: 30, account: 10, device: 10 },
  ...{ code: 5, 'code-device': 5 },
  ...{ 'mail-from': 10, 'mail-to': 3 },
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
