import type { Instant } from '@payroll/kernel';

export interface KeyLife {
  kid: string;
  /** Published from its creation on; signs from this time until the next key does. */
  signsFrom: Instant;
  /** Set if its private part may be known to others: its signatures are no longer accepted. */
  withdrawnAt: Instant | null;
}

/**
 * The newest key whose time has come signs and is published first. Keys are published before they sign, and dropped
 * once their successor began to sign before `countsUntil`: their last token has then expired.
 */
export function chooseKeys<Key extends KeyLife>(keys: readonly Key[], now: Instant, countsUntil: Instant) {
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
