import { isCountry, isCurrency, Money as ExactMoney } from '@payroll/kernel';
import type { TagLook } from '@payroll/pages';
import type { introspection } from './graph.js';

type Words = Readonly<Record<string, string>>;

/** Words for every value of an enum of the graph. */
export type WordsFor<Enum extends keyof introspection['types']> = introspection['types'][Enum] extends {
  enumValues: infer Value extends string;
}
  ? Readonly<Record<Value, string>>
  : never;

export const CONTRACT_STATUSES: WordsFor<'ContractStatus'> = {
  draft: 'Draft',
  pending_verification: 'Waiting for verification',
  ready_for_signature: 'Ready to sign',
  pending_signature: 'Waiting for a signature',
  signed: 'Signed',
  active: 'Active',
  offboarding: 'Ending',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

export const CONTRACT_TYPES: WordsFor<'ContractType'> = {
  employment_at_will: 'Employment at will',
  contractor_fixed: 'Fixed rate',
  contractor_milestone: 'By milestone',
  contractor_payg: 'Pay as you go',
  contractor_creator: 'Creator',
};

const REGIONS = new Intl.DisplayNames('en', { type: 'region' });
/** All pairs of letters. */
const PAIRS = Array.from({ length: 26 * 26 }, (_, n) => String.fromCharCode(65 + n / 26, 65 + (n % 26)));

/** The names of the countries by their codes, in the order of the names. */
export const COUNTRIES: Words = Object.fromEntries(
  PAIRS.filter(isCountry)
    .map((code) => [code, REGIONS.of(code)!] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other)),
);

const CURRENCY_NAMES = new Intl.DisplayNames('en', { type: 'currency' });

/** The currencies that one can agree on, by their codes. */
export const CURRENCIES: Words = Object.fromEntries(
  Intl.supportedValuesOf('currency')
    .filter(isCurrency)
    .map((code) => [code, `${code} – ${CURRENCY_NAMES.of(code)!}`]),
);

export const EMPLOYMENT_TYPES: WordsFor<'EmploymentType'> = { employee: 'Employee', contractor: 'Contractor' };

export const TIMESHEET_STATUSES: WordsFor<'TimesheetStatus'> = {
  submitted: 'Waiting for review',
  approved: 'Approved',
  rejected: 'Rejected',
};

/** `completed` must not read as paid: the payout is still under way. */
export const MILESTONE_STATUSES: WordsFor<'MilestoneStatus'> = {
  pending: 'Planned',
  submitted: 'Waiting for review',
  approved: 'Approved',
  completed: 'Payment on its way',
  paid: 'Paid',
  rejected: 'Rejected',
};

export const PAYMENT_STATUSES: WordsFor<'PaymentStatus'> = {
  pending: 'Scheduled',
  processing: 'On its way',
  completed: 'Paid',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** Approved work whose payment failed or was cancelled is not shown as a success. */
export function workStatus(words: Words, status: string, payment: { status: string } | null): string {
  const word = words[status] ?? status;
  if (payment?.status === 'failed') return `${word}, payment failed`;
  return payment?.status === 'cancelled' ? `${word}, payment cancelled` : word;
}

const GOOD: ReadonlySet<string> = new Set(['Active', 'Approved', 'Paid']);
const BAD: ReadonlySet<string> = new Set(['Cancelled', 'Deleted', 'Rejected', 'Failed']);

const WAITING = /^(Waiting|Ready to sign)/;

/** Keyed by the word, because the same status means different things for different kinds of rows. */
export function lookOf(word: string): TagLook {
  if (GOOD.has(word)) return 'good';
  if (BAD.has(word) || /, payment (failed|cancelled)$/.test(word)) return 'bad';
  return WAITING.test(word) ? 'wait' : 'plain';
}

export interface Money {
  amount: string;
  currency: string;
}

/** "1,500.00 EUR": exact, every digit as it is, with the code of its currency. */
export function moneyText({ amount, currency }: Money): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`} ${currency}`;
}

/** One total for each currency: amounts of different currencies are not added. */
export function totalsOf(amounts: readonly Money[]): ExactMoney[] {
  const totals = new Map<string, ExactMoney>();
  for (const { amount, currency } of amounts) {
    const each = ExactMoney.stored(amount, currency);
    totals.set(each.currency, totals.get(each.currency)?.plus(each) ?? each);
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** "1 Mar 2027", of a day as YYYY-MM-DD. */
export function dayText(day: string): string {
  return DAY.format(noonOf(day));
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

/** "Fri, 5 Mar 2027". */
export function weekdayText(day: string): string {
  return `${WEEKDAY.format(noonOf(day))}, ${dayText(day)}`;
}

/** "1 – 7 Mar 2027", both days included. */
export function periodText(start: string, end: string): string {
  return DAY.formatRange(noonOf(start), noonOf(end));
}

function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}

/** The chosen option; the empty text if the value is not one of the options. */
export function chosen<Option extends string>(
  value: string | undefined,
  options: Record<Option, unknown>,
): Option | '' {
  return value !== undefined && Object.hasOwn(options, value) ? (value as Option) : '';
}

const UNITS: Words = { hourly: 'hour', per_task: 'task', retainer: 'period' };

/** When the payment of a timesheet is due. */
export function dueText(days: number): string {
  return days === 0 ? 'At the end of the period' : `${daysText(days)} after the end of the period`;
}

/** Whether payouts can be made for a business, by the state of its verification. */
export const KYB_MEANINGS: WordsFor<'KybStatus'> = {
  not_started:
    'Verification has not started. Payments that are due before it is over fail; you can try them again. Contact support to start it.',
  pending:
    'The business is being verified. Payments that are due before that fail; you can try them again. You need not do anything until support asks you.',
  verified: 'The business is verified; payouts can be made.',
  rejected: 'The business could not be verified, so no payouts are made. Contact support.',
};

export function daysText(n: number): string {
  return n === 1 ? '1 day' : `${n} days`;
}

/** The unit of a rate and of the work, by the kind of compensation. */
export function unitOf(compensationType: string | null | undefined): string {
  return UNITS[compensationType ?? ''] ?? 'unit';
}

/** "10 hours"; minutes that no short decimal is exact for are shown as they were entered, "7:20 hours". */
export function unitsText(count: string, unit: string): string {
  if (unit === 'hour' && /\.\d{5}/.test(count)) return `${hoursText(count)} hours`;
  return `${count} ${unit}${/^1(\.0+)?$/.test(count) ? '' : 's'}`;
}

/** Places of an hour, of which work has at most eight. */
const PLACES = 100_000_000;
/** Minutes were rounded to four places once, and may have the remainder of another day. */
const ROUNDED_BY = 0.004 * PLACES;

/** Minutes that were rounded, as minutes again: 7.33333334 is 7:20. Any other number stays. */
export function hoursText(units: string): string {
  const places = Math.round(Number(units) * PLACES);
  const minutes = Math.round((places * 60) / PLACES);
  const difference = Math.abs(places * 60 - minutes * PLACES);
  if (difference === 0 || difference > ROUNDED_BY) return units;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
