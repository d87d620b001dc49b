import type { EventBody } from '@payroll/events';
import { Money, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { currentTraceparent } from '@payroll/runtime';
import { PaymentTable } from '../store/tables.js';

/** The payment of a timesheet waits for its scheduled date. */
export const recordApprovedTimesheet = defineCommand('payment.create-for-timesheet', {
  who: SYSTEM_ONLY,
  decide: (tx, approval: EventBody<'timesheet.approved'>) =>
    createPayment(tx, {
      id: approval.paymentId,
      contractId: approval.contractId,
      sourceType: 'timesheet',
      sourceId: approval.timesheetId,
      currency: approval.total.currency,
      gross: approval.total.amount,
      scheduledDate: approval.paymentScheduledDate,
      autoPayEnabled: approval.autoPayEnabled,
    }),
});

/** A milestone's payment is due at once, with or without automatic payment in the contract (public-api.md §3). */
export const recordApprovedMilestone = defineCommand('payment.create-for-milestone', {
  who: SYSTEM_ONLY,
  decide: (tx, approval: EventBody<'milestone.approved'>) =>
    createPayment(tx, {
      id: approval.paymentId,
      contractId: approval.contractId,
      sourceType: 'milestone',
      sourceId: approval.milestoneId,
      currency: approval.amount.currency,
      gross: approval.amount.amount,
      scheduledDate: null,
      autoPayEnabled: true,
    }),
});

type Approved = Pick<
  TableRow<typeof PaymentTable>,
  'id' | 'contractId' | 'sourceType' | 'sourceId' | 'currency' | 'gross' | 'scheduledDate' | 'autoPayEnabled'
>;

/** Uses the id that the approval names. The unique source prevents a second payment if the event is applied again. */
function createPayment(tx: CommandTransaction, approved: Approved): void {
  const { sourceType, sourceId, currency } = approved;
  const gross = Money.stored(approved.gross, currency).amount;
  const payment = tx.insert(PaymentTable, {
    ...approved,
    gross,
    workspaceId: tx.workspaceId,
    status: 'pending',
    sequence: 1,
    net: gross,
    processedAt: null,
    completedAt: null,
    failureReason: null,
    traceparent: currentTraceparent() ?? null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  tx.audit('payment.created', payment.id, { sourceType, sourceId, gross: { amount: gross, currency } });
}
