import { addDays, type CalendarDate, daysBetween, DomainError } from '@payroll/kernel';
import type { WorkAnswer } from '@payroll/events';
import { type Entry, HOURS_OF_A_DAY, readEntries, requireUnits } from './entries.js';
import { type PeriodOfWork, requirePeriodOfWork } from './timesheet.js';
import { invalid } from './work.js';

/** The terms of work under a contract, as contracts answered for this request. */
export type AgreedWork = NonNullable<WorkAnswer> & { submitter: 'client' | 'contractor' };

/** The side that submits the work of a contract: the worker or the client. */
export const SIDES = ['worker', 'client'] as const;
export type Side = (typeof SIDES)[number];

/** Work as a person enters it: by day where it is paid by the hour, as one number otherwise. */
export interface EnteredWork {
  periodStart: CalendarDate;
  periodEnd: CalendarDate;
  unitsWorked?: string | null | undefined;
  entries?: readonly Entry[] | null | undefined;
}

/** @throws DomainError `INSUFFICIENT_SCOPE` where the contract says that the other side submits */
export function requireSide(side: Side, { submitter }: AgreedWork): void {
  const by = side === 'worker' ? 'contractor' : 'client';
  if (submitter === by) return;
  const other = side === 'worker' ? 'The business' : 'The worker';
  throw new DomainError('INSUFFICIENT_SCOPE', `${other} submits timesheets under this contract.`);
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
  if (agreed.isHourly && Number(unitsWorked) > HOURS_OF_A_DAY * (1 + daysBetween(periodStart, periodEnd))) {
    throw invalid('unitsWorked', 'out_of_range', 'A day has at most 24 hours.');
  }
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

function readUnits({ entries, unitsWorked }: Omit<EnteredWork, 'periodStart' | 'periodEnd'>, { isHourly }: AgreedWork) {
  if (isHourly && entries != null) return readEntries(entries);
  if (entries != null) throw invalid('entries', 'not_hourly', 'Only work that is paid by the hour is entered by day.');
  requireUnits('unitsWorked', unitsWorked ?? '');
  return { entries: null, unitsWorked: unitsWorked! };
}
