import { isPositiveDecimal, type CalendarDate } from '@payroll/kernel';
import { invalid } from './invalid.js';

/** Days worked, both ends included, and what was done in them. */
export interface PeriodOfWork {
  periodStart: CalendarDate;
  periodEnd: CalendarDate;
  /** Decimal string above zero: hours, days or pieces, as the rate is per. */
  unitsWorked: string;
}

/** @throws DomainError `VALIDATION_FAILED` */
export function requirePeriodOfWork({ periodStart, periodEnd, unitsWorked }: PeriodOfWork): void {
  if (periodEnd < periodStart) throw invalid('periodEnd', 'before_start', 'The period ends before it starts.');
  if (!isPositiveDecimal(unitsWorked)) throw invalid('unitsWorked', 'not_positive', 'unitsWorked is above zero.');
}

/** What is not given stays as it was. */
export interface CorrectedWork {
  periodStart?: CalendarDate | null | undefined;
  periodEnd?: CalendarDate | null | undefined;
  unitsWorked?: string | null | undefined;
}

export function correctWork(work: PeriodOfWork, corrected: CorrectedWork): PeriodOfWork {
  return {
    periodStart: corrected.periodStart ?? work.periodStart,
    periodEnd: corrected.periodEnd ?? work.periodEnd,
    unitsWorked: corrected.unitsWorked ?? work.unitsWorked,
  };
}
