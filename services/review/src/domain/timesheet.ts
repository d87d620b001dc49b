import {
  addDays,
  amountProblem,
  DomainError,
  follow,
  isCalendarDate,
  Money,
  rateProblem,
  type CalendarDate,
  type Instant,
  type StateMachine,
  type PaymentStatus,
  type TimesheetStatus,
} from '@payroll/kernel';
import type { ContractTerms } from './contract-terms.js';
import type { MoneyValue } from './money-value.js';
import type { PeriodOfWork } from './period.js';
import type { Version } from './version.js';

export type TimesheetEdge = 'approve' | 'reject' | 'resubmit';

const timesheetMachine: StateMachine<TimesheetStatus, TimesheetEdge> = {
  submitted: { approve: 'approved', reject: 'rejected' },
  approved: {},
  rejected: { resubmit: 'submitted' },
};

export function followTimesheet(from: TimesheetStatus, edge: TimesheetEdge): TimesheetStatus {
  return follow(timesheetMachine, 'timesheet', from, edge);
}

/** A timesheet as its readers see it. */
export interface Timesheet extends PeriodOfWork {
  id: string;
  contractId: string;
  status: TimesheetStatus;
  rate: MoneyValue;
  total: MoneyValue;
  paymentScheduledDate: CalendarDate;
  autoPayEnabled: boolean;
  /** Null unless it is rejected. */
  rejectionReason: string | null;
  paymentId: string | null;
  paymentStatus: PaymentStatus | null;
  /** The last time: a rejected one may be submitted again. */
  submittedAt: Instant;
  createdAt: Instant;
  updatedAt: Instant;
  version: Version;
}

/** What the terms of the contract make of the work: all that a change of terms can change for a reviewer. */
export interface Reckoning {
  rate: string;
  currency: string;
  total: string;
  paymentScheduledDate: CalendarDate;
  autoPayEnabled: boolean;
}

/**
 * Null where the terms come to nothing: no rate yet, a total that rounds to zero or that no bank can pay, amounts or days
 * out of all bounds.
 */
export function reckon(terms: ContractTerms, { unitsWorked, periodEnd }: PeriodOfWork): Reckoning | null {
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

/** @throws DomainError `INVALID_STATE` where the work cannot be reckoned. */
export function requireReckoning(terms: ContractTerms, work: PeriodOfWork): Reckoning {
  const reckoning = reckon(terms, work);
  if (reckoning === null) {
    throw new DomainError('INVALID_STATE', 'By the terms of the contract, such as its rate, this cannot be reckoned.');
  }
  return reckoning;
}

export function sameReckoning(a: Reckoning, b: Reckoning): boolean {
  return (
    a.rate === b.rate &&
    a.currency === b.currency &&
    a.total === b.total &&
    a.paymentScheduledDate === b.paymentScheduledDate &&
    a.autoPayEnabled === b.autoPayEnabled
  );
}
