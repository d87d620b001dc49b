import { Money } from '@payroll/kernel';
import type { Money as Amount } from './words.js';

/** One total for each currency: amounts of different currencies are not added. */
export function totalsOf(amounts: readonly Amount[]): Money[] {
  const totals = new Map<string, Money>();
  for (const { amount, currency } of amounts) {
    const each = Money.stored(amount, currency);
    totals.set(each.currency, totals.get(each.currency)?.plus(each) ?? each);
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
