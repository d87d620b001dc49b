import {
  addDays,
  amountProblem,
  DomainError,
  transition,
  isCalendarDate,
  isPositiveDecimal,
  Money,
  rateProblem,
  type CalendarDate,
  type StateMachine,
  type TimesheetStatus,
  invalid,
} from '@payroll/kernel';
import type { ContractTerms } from './contract-terms.js';

export type TimesheetEdge = 'approve' | 'reject' | 'resubmit' | 'correct';

const timesheetMachine: StateMachine<TimesheetStatus, TimesheetEdge> = {
  submitted: { approve: 'approved', reject: 'rejected', correct: 'submitted' },
  approved: {},
  rejected: { resubmit: 'submitted', correct: 'submitted' },
};

export function followTimesheet(from: TimesheetStatus, edge: TimesheetEdge): TimesheetStatus {
  return transition(timesheetMachine, 'timesheet', from, edge);
}

/** Days worked, both ends included, and what was done in them. */
export interface PeriodOfWork {
  periodStart: CalendarDate;
  periodEnd: CalendarDate;
  /** Decimal string above zero: hours, days or pieces, depending on the rate's unit. */
  unitsWorked: string;
}

/** @throws DomainError `VALIDATION_FAILED` */
export function requirePeriodOfWork({ periodStart, periodEnd, unitsWorked }: PeriodOfWork): void {
  if (periodEnd < periodStart) throw invalid('periodEnd', 'before_start', 'periodEnd must not be before periodStart.');
  if (!isPositiveDecimal(unitsWorked))
    throw invalid('unitsWorked', 'not_positive', 'unitsWorked must be greater than zero.');
}

/**
 * A day of a contract is paid once.
 * @param taken other work of the contract that covers a day of the period
 * @throws DomainError `VALIDATION_FAILED`
 */
export function requireFreePeriod(taken: readonly object[]): void {
  if (taken.length > 0) {
    throw invalid('periodStart', 'overlaps', 'Other work under this contract covers days of this period.');
  }
}

/** Omitted fields keep their value. */
export type CorrectedWork = { [Name in keyof PeriodOfWork]?: PeriodOfWork[Name] | null | undefined };

export function correctWork(work: PeriodOfWork, corrected: CorrectedWork): PeriodOfWork {
  return {
    periodStart: corrected.periodStart ?? work.periodStart,
    periodEnd: corrected.periodEnd ?? work.periodEnd,
    unitsWorked: corrected.unitsWorked ?? work.unitsWorked,
  };
}

/** The terms that amounts are calculated from. */
export type PayTerms = Pick<ContractTerms, 'rate' | 'currency' | 'paymentDueDays' | 'autoPayEnabled'>;

/** The amounts that the contract terms give for the work: everything a change of terms can change for a reviewer. */
export type TimesheetAmounts = NonNullable<ReturnType<typeof calculate>>;

/**
 * Null if the terms give no payable total: no rate yet, a total that is zero or that no bank can pay, a date out of
 * range.
 */
export function calculate(terms: PayTerms, { unitsWorked, periodEnd }: PeriodOfWork) {
  const { currency } = terms;
  if (terms.rate === null || rateProblem({ amount: terms.rate, currency })) return null;
  try {
    const rate = Money.of(terms.rate, currency);
    const paymentScheduledDate = addDays(periodEnd, terms.paymentDueDays);
    const total = rate.times(unitsWorked);
    if (!isCalendarDate(paymentScheduledDate) || !total.isPositive() || amountProblem(total)) return null;
    return {
      rate: rate.amount,
      currency,
      total: total.amount,
      paymentScheduledDate,
      autoPayEnabled: terms.autoPayEnabled,
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** @throws DomainError `INVALID_STATE` if the terms give no payable total. */
export function requireAmounts(terms: PayTerms, work: PeriodOfWork): TimesheetAmounts {
  const amounts = calculate(terms, work);
  if (amounts === null) {
    throw new DomainError(
      'INVALID_STATE',
      'The contract terms (such as the rate) do not give a payable total for this work.',
    );
  }
  return amounts;
}

/**
 * The amounts of submitted work after a change of terms. Terms that give no payable total leave them as submitted, for the
 * reviewer to decide. A change of automatic payment holds all the same: an approval must not pay by a setting that has ended.
 */
export function amountsUnder(terms: ContractTerms, work: PeriodOfWork): Partial<TimesheetAmounts> {
  return calculate(terms, work) ?? { autoPayEnabled: terms.autoPayEnabled };
}

export function sameAmounts(a: TimesheetAmounts, b: Partial<TimesheetAmounts>): boolean {
  return Object.entries(b).every(([name, value]) => a[name as keyof TimesheetAmounts] === value);
}
