import type { Instant } from '@payroll/kernel';

/** What decides about a signing key; its private part is no part of the decision. */
export interface KeyLife {
  kid: string;
  /** It is published from its creation on and signs from here on, until the next one does. */
  signsFrom: Instant;
  /** Set when its private part may be known to others: nothing that it signed counts any more. */
  withdrawnAt: Instant | null;
}

export interface KeyChoice<Key extends KeyLife> {
  signing: Key;
  /** Every key whose signatures count now or soon, the signing one first. */
  published: Key[];
}

/**
 * The newest key whose time has come signs. Those to come are published, so that everybody knows them before the first
 * signature; those that have been followed stay until the last token that they can have signed is over.
 * @param countsUntil keys whose successor began to sign before this moment are dropped
 */
export function chooseKeys<Key extends KeyLife>(
  keys: readonly Key[],
  now: Instant,
  countsUntil: Instant,
): KeyChoice<Key> | null {
  const good = keys.filter(({ withdrawnAt }) => withdrawnAt === null).toSorted(byStart);
  const signing = good.findLast(({ signsFrom }) => signsFrom <= now);
  if (!signing) return null;
  const others = good.filter((key, n) => {
    if (key === signing) return false;
    const successor = good[n + 1];
    return successor === undefined || successor.signsFrom > countsUntil;
  });
  return { signing, published: [signing, ...others] };
}

function byStart(one: KeyLife, other: KeyLife): number {
  if (one.signsFrom === other.signsFrom) return one.kid < other.kid ? -1 : 1;
  return one.signsFrom < other.signsFrom ? -1 : 1;
}
