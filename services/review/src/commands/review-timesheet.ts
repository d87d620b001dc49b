import { newEvent } from '@payroll/events';
import { DomainError, holdersOf, newId } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { autoApprovalOf, type ApprovalRule } from '../domain/auto-approval.js';
import { followTimesheet } from '../domain/timesheet.js';
import { readReason, requirePayable, requireVersion, type Rejected, type Reviewed } from '../domain/work.js';
import { toTimesheet } from '../store/timesheets.js';
import { findTerms, findTimesheet, touch, type TimesheetEntity } from './find-work.js';

const REVIEWERS = holdersOf('timesheets:write');

/** By a rule of the contract, which must have come due, or by a person. */
type Approved = Reviewed & { by?: 'rule' };

/** Mints the payment's id, so that the answer carries it. The event freezes the terms that the payment is made from. */
export const approveTimesheet = defineCommand('timesheet.approve', REVIEWERS, async (tx, input: Approved) => {
  const timesheet = await findTimesheet(tx, input.id);
  requireVersion(timesheet, input.expectedVersion);
  const status = followTimesheet(timesheet.status, 'approve');
  requirePayable('total', { amount: timesheet.total, currency: timesheet.currency });
  const rule = input.by === 'rule' ? await requireDueRule(tx, timesheet) : undefined;
  const paymentId = newId();
  timesheet.status = status;
  timesheet.paymentId = paymentId;
  timesheet.approveAt = null;
  touch(tx, timesheet);
  const { total, currency } = timesheet;
  tx.audit('timesheet.approved', timesheet.id, { paymentId, total, currency, ...(rule && { rule }) });
  tx.emit(
    newEvent('timesheet.approved', paymentId, {
      timesheetId: timesheet.id,
      contractId: timesheet.contractId,
      paymentId,
      revision: timesheet.revision,
      total: { amount: total, currency },
      periodStart: timesheet.periodStart,
      periodEnd: timesheet.periodEnd,
      paymentScheduledDate: timesheet.paymentScheduledDate,
      autoPayEnabled: timesheet.autoPayEnabled,
    }),
  );
  return toTimesheet(timesheet);
});

/** The terms are asked again: they may have changed, without a trace for reviewers, since the work was listed as due. */
async function requireDueRule(tx: CommandTransaction, work: TimesheetEntity): Promise<ApprovalRule> {
  const terms = await findTerms(tx, work.contractId);
  const approval = terms && autoApprovalOf(terms, work.submittedAt);
  if (!approval || approval.at > tx.now) {
    throw new DomainError('INVALID_STATE', 'No rule of the contract approves this work now.');
  }
  return approval.rule;
}

export const rejectTimesheet = defineCommand('timesheet.reject', REVIEWERS, async (tx, input: Rejected) => {
  const reason = readReason(input.reason);
  const timesheet = await findTimesheet(tx, input.id);
  requireVersion(timesheet, input.expectedVersion);
  timesheet.status = followTimesheet(timesheet.status, 'reject');
  timesheet.rejectionReason = reason;
  timesheet.approveAt = null;
  touch(tx, timesheet);
  tx.audit('timesheet.rejected', timesheet.id, { reason });
  return toTimesheet(timesheet);
});
