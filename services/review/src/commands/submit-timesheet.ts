import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { APPLICATION_ONLY, newId, type TimesheetStatus } from '@payroll/kernel';
import { daysAhead, sandboxVersionOf } from '@payroll/service';
import type { TableRow } from '@payroll/store';
import { autoApprovalOf, requireOpenForWork } from '../domain/contract-terms.js';
import {
  type CorrectedWork,
  correctWork,
  followTimesheet,
  type PeriodOfWork,
  requirePeriodOfWork,
  requireAmounts,
  requireFreePeriod,
} from '../domain/timesheet.js';
import { type ContractTermsTable, TimesheetTable } from '../store/tables.js';
import { overlapping, type Timesheet, toTimesheet } from '../store/views.js';
import { findTerms, findTimesheet, nextRevision, type TimesheetRow, tellReviewers } from './work.js';

type SubmitTimesheet = PeriodOfWork & { contractId: string };

export const submitTimesheet = defineCommand('timesheet.submit', {
  who: APPLICATION_ONLY,
  decide: async (tx, input: SubmitTimesheet) => {
    requirePeriodOfWork(input);
    const terms = await findTerms(tx, input.contractId);
    return await submit(tx, terms, { ...input, entries: null, submittedBy: null });
  },
});

/** In place of the worker. */
export const submitTimesheetInSandbox = sandboxVersionOf('sandbox.submit-timesheet', submitTimesheet);

type Terms = TableRow<typeof ContractTermsTable>;
type Work = PeriodOfWork & Pick<TimesheetRow, 'entries' | 'submittedBy'>;

/**
 * No two pieces of work take one period: the change clock lets one command of the workspace run at a time.
 * @throws DomainError unless work can be submitted under the contract, and its period is free
 */
export async function submit(tx: CommandTransaction, known: Terms | null, work: Work): Promise<Timesheet> {
  const terms = requireOpenForWork(known);
  const { contractId } = terms;
  const { periodStart, periodEnd, unitsWorked, entries, submittedBy } = work;
  const id = newId();
  requireFreePeriod(await tx.read(overlapping(tx.workspaceId, { id, contractId, ...work })));
  const timesheet = tx.insert(TimesheetTable, {
    ...{ id, contractId, revision: 1, status: 'submitted' },
    ...{ periodStart, periodEnd, unitsWorked, entries, submittedBy },
    ...requireAmounts(terms, work),
    rejectionReason: null,
    paymentId: null,
    paymentStatus: null,
    paymentSequence: 0,
    submittedAt: tx.now,
    daysAhead: await daysAhead(tx),
    approveAt: autoApprovalOf(terms, tx.now)?.at ?? null,
  });
  tx.audit('timesheet.submitted', id, { contractId, total: timesheet.total });
  if (terms.timesheetApprovalRequired) tellReviewers(tx, timesheet);
  return toTimesheet(timesheet);
}

export type ResubmitTimesheet = CorrectedWork & { id: string };

export const resubmitTimesheet = defineCommand('timesheet.resubmit', {
  who: APPLICATION_ONLY,
  decide: async (tx, { id, ...corrected }: ResubmitTimesheet) => {
    const timesheet = await findTimesheet(tx, id);
    const status = followTimesheet(timesheet.status, 'resubmit');
    const work = correctWork(timesheet, corrected);
    requirePeriodOfWork(work);
    return await submitAgain(tx, timesheet, { ...work, status, entries: null, submittedBy: null });
  },
});

/** A new version of a timesheet, which a reviewer of the former one cannot decide on. */
export async function submitAgain(
  tx: CommandTransaction,
  timesheet: TimesheetRow,
  changed: Work & { status: TimesheetStatus },
): Promise<Timesheet> {
  const { id, contractId } = timesheet;
  const terms = requireOpenForWork(await findTerms(tx, contractId));
  const { periodStart, periodEnd, unitsWorked } = changed;
  requireFreePeriod(await tx.read(overlapping(tx.workspaceId, { id, contractId, ...changed })));
  const resubmitted = tx.update(TimesheetTable, timesheet, {
    ...changed,
    ...requireAmounts(terms, changed),
    rejectionReason: null,
    submittedAt: tx.now,
    daysAhead: await daysAhead(tx),
    approveAt: autoApprovalOf(terms, tx.now)?.at ?? null,
    ...nextRevision(tx, timesheet),
  });
  tx.audit('timesheet.resubmitted', id, { periodStart, periodEnd, unitsWorked, total: resubmitted.total });
  if (terms.timesheetApprovalRequired) tellReviewers(tx, resubmitted);
  return toTimesheet(resubmitted);
}
