import { canonicalJson } from '@payroll/kernel';

/** Each part that is not what it was: from what to what. What is absent is null. */
export function differences<Whole extends object>(
  before: Whole,
  after: Whole,
): Record<string, { from: unknown; to: unknown }> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Whole & string)[];
  const pairs = names.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }] as const);
  return Object.fromEntries(pairs.filter(([, { from, to }]) => canonicalJson(from) !== canonicalJson(to)));
}
