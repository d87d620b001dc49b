import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { createPayment } from './create-payment.js';

/** The payment of a timesheet waits for its day. */
export const recordApprovedTimesheet = defineCommand(
  'payment.create-for-timesheet',
  SYSTEM_ONLY,
  (tx, approval: EventBody<'timesheet.approved'>): Promise<void> => {
    createPayment(tx, {
      id: approval.paymentId,
      contractId: approval.contractId,
      sourceType: 'timesheet',
      sourceId: approval.timesheetId,
      currency: approval.total.currency,
      gross: approval.total.amount,
      scheduledDate: approval.paymentScheduledDate,
      autoPayEnabled: approval.autoPayEnabled,
    });
    return Promise.resolve();
  },
);
