import { newEvent } from '@payroll/events';
import { DomainError, holdersOf, newId } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { autoApprovalOf, type ApprovalRule } from '../domain/auto-approval.js';
import { followTimesheet, type Timesheet } from '../domain/timesheet.js';
import { requirePayable } from '../domain/payable.js';
import { requireVersion, type Version } from '../domain/version.js';
import { toTimesheet } from '../store/to-timesheet.js';
import { findTerms } from './find-terms.js';
import { findTimesheet, type TimesheetEntity } from './find-timesheet.js';
import { touch } from './touch.js';

export interface ApproveTimesheet {
  id: string;
  expectedVersion: Version;
  /** Where nobody decides but a rule of the contract, which must have come due. */
  by?: 'rule';
}

/**
 * Approves submitted work and mints the id of its payment, so that the answer carries it. The event, in the same
 * transaction, is what the payment is made from: the terms are frozen in it.
 */
export const approveTimesheet = defineCommand(
  'timesheet.approve',
  holdersOf('timesheets:write'),
  async (tx, { id, expectedVersion, by }: ApproveTimesheet): Promise<Timesheet> => {
    const timesheet = await findTimesheet(tx, id);
    requireVersion(timesheet, expectedVersion);
    const status = followTimesheet(timesheet.status, 'approve');
    requirePayable('total', { amount: timesheet.total, currency: timesheet.currency });
    const rule = by === 'rule' ? await requireDueRule(tx, timesheet) : undefined;
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
  },
);

/** The terms are asked again: they may have changed, without a trace for reviewers, since the work was listed as due. */
async function requireDueRule(tx: CommandTransaction, work: TimesheetEntity): Promise<ApprovalRule> {
  const terms = await findTerms(tx, work.contractId);
  const approval = terms && autoApprovalOf(terms, work.submittedAt);
  if (!approval || approval.at > tx.now) {
    throw new DomainError('INVALID_STATE', 'No rule of the contract approves this work now.');
  }
  return approval.rule;
}
