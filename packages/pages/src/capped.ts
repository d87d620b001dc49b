/** Things are counted, and their amounts added up, to this many. */
export const MOST_COUNTED = 100;

export function capped(n: number): string {
  return n >= MOST_COUNTED ? '99+' : String(n);
}
