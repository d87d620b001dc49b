import type { EventBody, EventType } from '@payroll/events';
import { defineCommand } from '@payroll/store';
import { TimesheetTable } from '../store/tables.js';

type PaymentEvent = Extract<EventType, `payment.${string}`>;

/** Remembers how far the payment of approved work is. Events may come out of order: the sequence decides. */
export const applyPaymentStatus = defineCommand(
  'payment-status.apply',
  async (tx, event: EventBody<PaymentEvent>): Promise<void> => {
    if (event.sourceType !== 'timesheet') return;
    const timesheet = await tx.em.findOne(TimesheetTable, { workspaceId: tx.workspaceId, id: event.sourceId });
    if (!timesheet || timesheet.paymentId !== event.paymentId || timesheet.paymentSequence >= event.sequence) return;
    // Not a change a reviewer sees: neither version nor updatedAt moves.
    timesheet.paymentStatus = event.status;
    timesheet.paymentSequence = event.sequence;
  },
);
