import { newEvent } from '@payroll/events';
import { newId, requireScope } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followTimesheet, type Timesheet } from '../domain/timesheet.js';
import { requireVersion, type Version } from '../domain/version.js';
import { toTimesheet } from '../store/to-timesheet.js';
import { findTimesheet, touch } from './find-timesheet.js';

export interface ApproveTimesheet {
  id: string;
  expectedVersion: Version;
}

/**
 * Approves submitted work and mints the id of its payment, so that the answer carries it. The event, in the same
 * transaction, is what the payment is made from: the terms are frozen in it.
 */
export const approveTimesheet = defineCommand(
  'timesheet.approve',
  async (tx, input: ApproveTimesheet): Promise<Timesheet> => {
    requireScope(tx.origin.actor, 'timesheets:write');
    const timesheet = await findTimesheet(tx, input.id);
    requireVersion(timesheet, input.expectedVersion);
    timesheet.status = followTimesheet(timesheet.status, 'approve');
    const paymentId = newId();
    timesheet.paymentId = paymentId;
    touch(tx, timesheet);
    tx.audit('timesheet.approved', timesheet.id, { paymentId, total: timesheet.total, currency: timesheet.currency });
    tx.emit(
      newEvent('timesheet.approved', paymentId, {
        timesheetId: timesheet.id,
        contractId: timesheet.contractId,
        paymentId,
        revision: timesheet.revision,
        total: { amount: timesheet.total, currency: timesheet.currency },
        periodStart: timesheet.periodStart,
        periodEnd: timesheet.periodEnd,
        paymentScheduledDate: timesheet.paymentScheduledDate,
        autoPayEnabled: timesheet.autoPayEnabled,
      }),
    );
    return toTimesheet(timesheet);
  },
);
