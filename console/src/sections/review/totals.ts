import { Money } from '@payroll/kernel';
import type { QueuedWork } from './operations.js';

/** One for each currency: different ones do not add up. */
export function totalsOf(works: readonly Pick<QueuedWork, 'amount'>[]): Money[] {
  const totals = new Map<string, Money>();
  for (const { amount } of works) {
    const each = Money.stored(amount.amount, amount.currency);
    totals.set(each.currency, totals.get(each.currency)?.plus(each) ?? each);
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
