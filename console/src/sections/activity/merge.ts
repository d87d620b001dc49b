import { isId, isInstant } from '@payroll/kernel';

interface Placed {
  id: string;
  at: string;
}

/** All trails have one order, newest first: one page of it, and where the next one begins. */
export function mergePage<Entry extends Placed>(trails: readonly (readonly Entry[])[], limit: number) {
  const all = trails.flat().toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
  const entries = all.slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: all.length > limit && last ? `${last.at}_${last.id}` : null };
}

/** Times have six digits of a second and ids one case: as text they are in order. */
const placeOf = ({ at, id }: Placed): string => `${at} ${id}`;

/** The position in the address; null if it is not valid. */
export function readPlace(text: string | undefined): { before: string; beforeId: string } | null {
  const [before = '', beforeId = '', ...more] = text?.split('_') ?? [];
  return isInstant(before) && isId(beforeId) && more.length === 0 ? { before, beforeId } : null;
}
