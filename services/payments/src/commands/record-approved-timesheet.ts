import { newEvent, type EventBody } from '@payroll/events';
import { defineCommand } from '@payroll/store';
import { PaymentTable } from '../store/tables.js';

/**
 * An approval arrived: its payment comes into being, under the id the approval minted. The inbox keeps it from happening
 * twice, the table's unique source is the last defence.
 */
export const recordApprovedTimesheet = defineCommand(
  'payment.record-approved-timesheet',
  async (tx, approval: EventBody<'timesheet.approved'>): Promise<void> => {
    const payment = tx.em.create(PaymentTable, {
      workspaceId: tx.workspaceId,
      id: approval.paymentId,
      contractId: approval.contractId,
      sourceType: 'timesheet',
      sourceId: approval.timesheetId,
      status: 'pending',
      sequence: 1,
      currency: approval.total.currency,
      gross: approval.total.amount,
      net: approval.total.amount,
      scheduledDate: approval.paymentScheduledDate,
      autoPayEnabled: approval.autoPayEnabled,
      processedAt: null,
      completedAt: null,
      failureReason: null,
      createdAt: tx.now,
      updatedAt: tx.now,
    });
    tx.em.persist(payment);
    tx.audit('payment.created', payment.id, { timesheetId: approval.timesheetId, gross: approval.total });
    tx.emit(
      newEvent('payment.created', payment.id, {
        paymentId: payment.id,
        sourceType: payment.sourceType,
        sourceId: payment.sourceId,
        sequence: payment.sequence,
        status: 'pending',
      }),
    );
  },
);
