import type { CalendarDate } from '@payroll/kernel';
import type { VNode } from 'preact';

/** As the graph has it: a decimal string, never a number. */
export interface Amount {
  amount: string;
  currency: string;
}

/** "1,500.00 EUR": every digit as it is. */
export function amountText({ amount, currency }: Amount): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`} ${currency}`;
}

/** An amount that is never broken across lines. */
export function Amount({ of }: { of: Amount }): VNode {
  return <span class="amount">{amountText(of)}</span>;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** "1 Mar 2027" */
export function dayText(day: CalendarDate): string {
  return DAY.format(new Date(`${day}T00:00:00Z`));
}
