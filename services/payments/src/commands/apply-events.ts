import type { EventBody } from '@payroll/events';
import { Money, SYSTEM_ONLY } from '@payroll/kernel';
import { type CommandTransaction, defineCommand } from '@payroll/commands';
import { sql, type TableRow } from '@payroll/store';
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
    status: 'pending',
    sequence: 1,
    net: gross,
    processedAt: null,
    completedAt: null,
    failureReason: null,
    traceparent: currentTraceparent() ?? null,
  });
  tx.audit('payment.created', payment.id, { sourceType, sourceId, gross: { amount: gross, currency } });
}

/** The worker of a contract. Events may arrive out of order: the newest revision is kept. */
export const projectContractWorker = defineCommand('contract-worker.keep', {
  who: SYSTEM_ONLY,
  decide: (tx, { contractId, workerId, revision }: EventBody<'contract.changed'>) =>
    tx.write(sql`insert into contract_worker as known (workspace_id, contract_id, worker_id, revision)
      values (${tx.workspaceId}, ${contractId}, ${workerId}, ${revision})
      on conflict (workspace_id, contract_id) do update set worker_id = excluded.worker_id, revision = excluded.revision
      where known.revision < excluded.revision`),
});

/** The verification of the business, in the same way. */
export const projectBusiness = defineCommand('business.keep', {
  who: SYSTEM_ONLY,
  decide: (tx, { kybStatus, revision }: EventBody<'business.changed'>) =>
    tx.write(sql`insert into business as known (workspace_id, kyb_status, revision)
      values (${tx.workspaceId}, ${kybStatus}, ${revision})
      on conflict (workspace_id) do update set kyb_status = excluded.kyb_status, revision = excluded.revision
      where known.revision < excluded.revision`),
});
