import {
  addDays,
  type CalendarDate,
  daysBetween,
  DomainError,
  isCalendarDate,
  isPositiveDecimal,
  sumOfDecimals,
  textProblem,
  invalid,
} from '@payroll/kernel';
import type { WorkAnswer } from '@payroll/events';
import { mostPeriods, PERIOD_NAMES } from './retainer.js';
import { type PeriodOfWork, requirePeriodOfWork } from './timesheet.js';
import { opaque } from './work.js';

/** The terms of work under a contract, as contracts answered for this request. */
export type AgreedWork = NonNullable<WorkAnswer> & { submitter: 'client' | 'contractor' };

/** The side that submits the work of a contract: the worker or the client. */
export const SIDES = ['worker', 'client'] as const;
export type Side = (typeof SIDES)[number];

/** @throws DomainError `INSUFFICIENT_SCOPE` where the contract says that the other side submits */
export function requireSide(side: Side, { submitter }: AgreedWork): void {
  const by = side === 'worker' ? 'contractor' : 'client';
  if (submitter === by) return;
  const other = side === 'worker' ? 'The business' : 'The worker';
  throw new DomainError('INSUFFICIENT_SCOPE', `${other} submits timesheets under this contract.`);
}

/** The work of one day. */
export interface Entry {
  day: CalendarDate;
  /** Hours; a decimal string above zero. */
  units: string;
  note?: string | null | undefined;
}

/** Work as a person enters it: by day where it is paid by the hour, as one number otherwise. */
export interface EnteredWork {
  periodStart: CalendarDate;
  periodEnd: CalendarDate;
  unitsWorked?: string | null | undefined;
  entries?: readonly Entry[] | null | undefined;
}

/**
 * The work as it is stored. Its days lie within the contract and end tomorrow at the latest, as somewhere it is tomorrow already.
 * @throws DomainError `VALIDATION_FAILED`
 */
export function readEnteredWork(
  { periodStart, periodEnd, ...given }: EnteredWork,
  agreed: AgreedWork,
  today: CalendarDate,
): PeriodOfWork & { entries: Entry[] | null } {
  const { entries, unitsWorked } = readUnits(given, agreed);
  const work = { periodStart, periodEnd, unitsWorked };
  requirePeriodOfWork(work);
  const days = 1 + daysBetween(periodStart, periodEnd);
  if (agreed.isHourly && Number(unitsWorked) > HOURS_OF_A_DAY * days) {
    throw invalid('unitsWorked', 'out_of_range', 'A day has at most 24 hours.');
  }
  if (agreed.compensationType === 'retainer') requirePeriods(work, agreed);
  const isOutside = entries?.some(({ day }) => day < periodStart || day > periodEnd);
  if (isOutside) throw invalid('entries', 'outside_period', 'Each day lies within the period.');
  const { firstDay, lastDay } = agreed;
  if (firstDay !== null && periodStart < firstDay) {
    throw invalid('periodStart', 'before_contract', `The contract begins on ${firstDay}.`);
  }
  if (lastDay !== null && periodEnd > lastDay) {
    throw invalid('periodEnd', 'after_contract', `The contract ends on ${lastDay}.`);
  }
  if (periodEnd > addDays(today, 1)) throw invalid('periodEnd', 'in_future', 'Work is submitted once it is done.');
  return { ...work, entries };
}

/** @throws DomainError `VALIDATION_FAILED` for more periods than the days can be, such as hours typed in their place */
function requirePeriods({ periodStart, periodEnd, unitsWorked }: PeriodOfWork, agreed: AgreedWork): void {
  // The shortest period, for a contract that does not say.
  const frequency = agreed.paymentFrequency ?? 'daily';
  const mayBeShort = periodStart === agreed.firstDay && agreed.isFirstProRata !== true;
  const most = mostPeriods(periodStart, periodEnd, frequency, mayBeShort);
  if (Number(unitsWorked) <= most) return;
  const parts = Math.floor(most * 100) / 100;
  const text = `The retainer is paid for each ${PERIOD_NAMES[frequency]}: these days are at most ${parts} of them.`;
  throw invalid('unitsWorked', 'out_of_range', text);
}

function readUnits({ entries, unitsWorked }: Omit<EnteredWork, 'periodStart' | 'periodEnd'>, { isHourly }: AgreedWork) {
  if (isHourly && entries != null) return readEntries(entries);
  if (entries != null) throw invalid('entries', 'not_hourly', 'Only work that is paid by the hour is entered by day.');
  requireUnits('unitsWorked', unitsWorked ?? '');
  return { entries: null, unitsWorked: unitsWorked! };
}

const MAX_ENTRIES = 31;
const HOURS_OF_A_DAY = 24;
/** Enough that minutes of any rate are exact to the cent: 7:20 is 7.33333334. */
const MAX_DECIMALS = 8;

/**
 * The entries in the order of their days, each day once, and their exact sum.
 * @throws DomainError `VALIDATION_FAILED` that names the entry
 */
export function readEntries(given: readonly Entry[]): { entries: Entry[]; unitsWorked: string } {
  if (given.length === 0 || given.length > MAX_ENTRIES) {
    throw invalid('entries', 'out_of_range', `A timesheet has 1 to ${MAX_ENTRIES} days.`);
  }
  const entries = given.map((entry, n) => readEntry(entry, `entries[${n}]`));
  const days = new Set(entries.map(({ day }) => day));
  if (days.size < entries.length) throw invalid('entries', 'repeated', 'Each day is entered once.');
  const ordered = entries.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  return { entries: ordered, unitsWorked: sumOfDecimals(ordered.map(({ units }) => units)) };
}

function readEntry({ day, units, note }: Entry, path: string): Entry {
  if (!isCalendarDate(day)) throw invalid(`${path}.day`, 'invalid_format', 'day must be a calendar day.');
  requireUnits(`${path}.units`, units);
  if (Number(units) > HOURS_OF_A_DAY) throw invalid(`${path}.units`, 'out_of_range', 'A day has at most 24 hours.');
  const text = note?.trim() ?? '';
  const problem = textProblem(text, 0, 500);
  if (problem !== null) throw invalid(`${path}.note`, problem, 'note must be text of at most 500 characters.');
  return { day, units, ...(text !== '' && { note: text }) };
}

/** Opaque token for what was typed into a draft. */
export const draftVersionOf = (fields: string): string => opaque(fields);

/** As people enter work: at most eight decimals. @throws DomainError `VALIDATION_FAILED` */
function requireUnits(path: string, units: string): void {
  if (!isPositiveDecimal(units)) throw invalid(path, 'not_positive', 'The work must be greater than zero.');
  const [, decimals = ''] = units.split('.');
  if (decimals.length > MAX_DECIMALS) throw invalid(path, 'too_precise', 'The work has at most eight decimals.');
}
