import { isCalendarDate, isPositiveDecimal, sumOfDecimals, textProblem, type CalendarDate } from '@payroll/kernel';
import { invalid } from './work.js';

/** The work of one day. */
export interface Entry {
  day: CalendarDate;
  /** Hours; a decimal string above zero. */
  units: string;
  note?: string | null | undefined;
}

const MAX_ENTRIES = 31;
export const HOURS_OF_A_DAY = 24;
const MAX_DECIMALS = 4;

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

/** As people enter work: at most four decimals. @throws DomainError `VALIDATION_FAILED` */
export function requireUnits(path: string, units: string): void {
  if (!isPositiveDecimal(units)) throw invalid(path, 'not_positive', 'The work must be greater than zero.');
  const [, decimals = ''] = units.split('.');
  if (decimals.length > MAX_DECIMALS) throw invalid(path, 'too_precise', 'The work has at most four decimals.');
}
