/**
 * Hours or units as people type them, as a decimal string: `7.5`, `7,5` or `7:30`. Minutes are rounded to two places; no
 * minute lies halfway between two. Null for anything else: a second separator or an exponent could mean two things.
 */
export function readUnits(typed: string): string | null {
  const [, whole, fraction = '', minutes] = /^(\d{1,3})(?:[.,](\d{1,4})|:([0-5]\d))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined) return null;
  const decimals = minutes === undefined ? fraction : String(Math.round(Number(minutes) / 0.6)).padStart(2, '0');
  const trimmed = decimals.replace(/0+$/, '');
  return `${Number(whole)}${trimmed === '' ? '' : `.${trimmed}`}`;
}
