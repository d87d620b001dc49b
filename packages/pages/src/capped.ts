/** Things are counted, and their amounts added up, to this many. */
export const MAX_COUNTED = 100;

export function capped(n: number): string {
  return n >= MAX_COUNTED ? '99+' : String(n);
}
