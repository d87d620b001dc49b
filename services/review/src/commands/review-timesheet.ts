import { newEvent } from '@payroll/events';
import { daysAfter, DomainError, requiringScope } from '@payroll/kernel';
import { validDaysAhead } from '@payroll/service';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { autoApprovalOf, type ApprovalRule } from '../domain/contract-terms.js';
import { followTimesheet } from '../domain/timesheet.js';
import {
  paymentIdOf,
  readReason,
  requirePayable,
  requireVersion,
  type Rejected,
  type Reviewed,
} from '../domain/work.js';
import { toTimesheet } from '../store/views.js';
import { TimesheetTable } from '../store/tables.js';
import { findTerms, findTimesheet, nextRevision, type TimesheetRow, tellWorker } from './work.js';

const REVIEWERS = requiringScope('timesheets:write');

/** Approved by a contract rule that is due at most `daysAhead` days from now, or by a person. */
type Approved = Reviewed & { byRule?: { daysAhead: number } };

/** Emits the event from which payments creates the payment, with the terms frozen, and returns the payment's id. */
export const approveTimesheet = defineCommand('timesheet.approve', {
  who: REVIEWERS,
  find: (rows, { id }: Approved) => findTimesheet(rows, id),
  decide: async (tx, input, timesheet) => {
    requireVersion(timesheet, input.expectedVersion);
    const status = followTimesheet(timesheet.status, 'approve');
    const { id, contractId, total, currency, periodStart, periodEnd } = timesheet;
    requirePayable('total', { amount: total, currency });
    const rule = input.byRule && (await requireDueRule(tx, timesheet, input.byRule));
    const paymentId = paymentIdOf('timesheet', id);
    const decided = { status, paymentId, paymentStatus: 'pending', approveAt: null } as const;
    const approved = tx.update(TimesheetTable, timesheet, { ...decided, ...nextRevision(tx, timesheet) });
    tx.audit('timesheet.approved', id, { paymentId, total, currency, ...(rule && { rule }) });
    tx.emit(
      newEvent('timesheet.approved', paymentId, {
        timesheetId: id,
        contractId,
        paymentId,
        revision: approved.revision,
        total: { amount: total, currency },
        periodStart,
        periodEnd,
        paymentScheduledDate: timesheet.paymentScheduledDate,
        autoPayEnabled: timesheet.autoPayEnabled,
      }),
    );
    return toTimesheet(approved);
  },
});

/**
 * Checks the current terms again: they may have changed since the work was listed as due, and such a change alone
 * gives the work no new version.
 */
async function requireDueRule(
  tx: CommandTransaction,
  work: TimesheetRow,
  { daysAhead }: { daysAhead: number },
): Promise<ApprovalRule> {
  const terms = await findTerms(tx, work.contractId);
  const approval = terms && autoApprovalOf(terms, work.submittedAt);
  const ahead = await validDaysAhead(tx, daysAhead, work.daysAhead);
  if (!approval || approval.at > daysAfter(tx.now, ahead)) {
    throw new DomainError('INVALID_STATE', 'No rule of the contract approves this work now.');
  }
  return approval.rule;
}

export const rejectTimesheet = defineCommand('timesheet.reject', {
  who: REVIEWERS,
  find: (rows, { id }: Rejected) => findTimesheet(rows, id),
  decide: async (tx, input, timesheet) => {
    const reason = readReason(input.reason);
    requireVersion(timesheet, input.expectedVersion);
    const status = followTimesheet(timesheet.status, 'reject');
    const decided = { status, rejectionReason: reason, approveAt: null };
    const rejected = tx.update(TimesheetTable, timesheet, { ...decided, ...nextRevision(tx, timesheet) });
    tx.audit('timesheet.rejected', timesheet.id, { reason });
    // The business corrects the work that it submitted itself: the worker could not.
    if (timesheet.submittedBy !== 'client') await tellWorker(tx, timesheet);
    return toTimesheet(rejected);
  },
});
