import {
  addDays,
  DomainError,
  follow,
  Money,
  type CalendarDate,
  type Instant,
  type StateMachine,
} from '@payroll/kernel';
import type { ContractTerms } from './contract-terms.js';
import type { Version } from './version.js';

export const TIMESHEET_STATUSES = ['submitted', 'approved', 'rejected'] as const;
export type TimesheetStatus = (typeof TIMESHEET_STATUSES)[number];

export type TimesheetEdge = 'approve' | 'reject' | 'resubmit';

export const timesheetMachine: StateMachine<TimesheetStatus, TimesheetEdge> = {
  submitted: { approve: 'approved', reject: 'rejected' },
  approved: {},
  rejected: { resubmit: 'submitted' },
};

export function followTimesheet(from: TimesheetStatus, edge: TimesheetEdge): TimesheetStatus {
  return follow(timesheetMachine, 'timesheet', from, edge);
}

/** A timesheet as its readers see it. */
export interface Timesheet {
  id: string;
  contractId: string;
  status: TimesheetStatus;
  periodStart: CalendarDate;
  periodEnd: CalendarDate;
  /** Decimal string. */
  unitsWorked: string;
  rate: MoneyValue;
  total: MoneyValue;
  paymentScheduledDate: CalendarDate;
  autoPayEnabled: boolean;
  paymentId: string | null;
  createdAt: Instant;
  updatedAt: Instant;
  version: Version;
}

export interface MoneyValue {
  amount: string;
  currency: string;
}

/** What the terms of the contract make of the work: all that a change of terms can change for a reviewer. */
export interface Reckoning {
  rate: string;
  currency: string;
  total: string;
  paymentScheduledDate: CalendarDate;
  autoPayEnabled: boolean;
}

/** @throws DomainError `INVALID_STATE` while the contract has no rate to reckon by. */
export function reckon(terms: ContractTerms, unitsWorked: string, periodEnd: CalendarDate): Reckoning {
  if (terms.rate === null) {
    throw new DomainError('INVALID_STATE', 'The contract has no rate yet, so work under it cannot be reckoned.');
  }
  const rate = Money.of(terms.rate, terms.currency);
  return {
    rate: rate.amount,
    currency: terms.currency,
    total: rate.times(unitsWorked).amount,
    paymentScheduledDate: addDays(periodEnd, terms.paymentDueDays),
    autoPayEnabled: terms.autoPayEnabled,
  };
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
