/** Wrong passwords are counted in windows that begin with the first of them. */
export const WINDOW_MINUTES = 5;

/**
 * What an attempt is counted for. A browser that once signed in to the account is counted by itself alone: however many
 * wrong passwords others send for the account, its owner still gets in there.
 */
export type Subject = { kind: 'address' | 'account' | 'device'; name: string };

const QUOTAS: Readonly<Record<Subject['kind'], number>> = { address: 30, account: 10, device: 10 };

export interface Attempt {
  address: string;
  email: string;
  /** The secret of the browser's device cookie, where it is one of this account's. */
  knownDevice: string | null;
}

export function subjectsOf({ address, email, knownDevice }: Attempt): Subject[] {
  if (knownDevice !== null) return [{ kind: 'device', name: knownDevice }];
  return [
    { kind: 'address', name: address },
    { kind: 'account', name: email },
  ];
}

export type Count = Subject & {
  /** In this window, this attempt included. */
  used: number;
  resetSeconds: number;
};

/** Seconds until the next attempt; null when this one may be tried. */
export function waitForAttempt(counts: readonly Count[]): number | null {
  const over = counts.filter(({ kind, used }) => used > QUOTAS[kind]);
  return over.length === 0 ? null : Math.max(1, ...over.map(({ resetSeconds }) => resetSeconds));
}
