import { computed, columnsExcept, defineView, sql, type TableRow } from '@payroll/store';
import { UnclaimedOrderTable } from './money-tables.js';
import { InstructionTable, PayeeTable, PaymentTable } from './tables.js';

// Rows as readers see them. Commands return them too, so each field is listed: a stored result holds nothing else.

/** A payment as its readers see it. Approved work is not paid work: see `status`. */
export type Payment = ReturnType<typeof toPayment>;

export function toPayment(row: Omit<TableRow<typeof PaymentTable>, 'workspaceId' | 'sequence' | 'traceparent'>) {
  const { sourceType, sourceId, currency } = row;
  return {
    id: row.id,
    contractId: row.contractId,
    timesheetId: sourceType === 'timesheet' ? sourceId : null,
    milestoneId: sourceType === 'milestone' ? sourceId : null,
    status: row.status,
    grossAmount: { amount: row.gross, currency },
    netAmount: { amount: row.net, currency },
    scheduledDate: row.scheduledDate,
    autoPayEnabled: row.autoPayEnabled,
    processedAt: row.processedAt,
    completedAt: row.completedAt,
    failureReason: row.failureReason,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const payments = defineView({
  list: 'payments',
  table: PaymentTable,
  columns: columnsExcept(PaymentTable, 'workspaceId', 'sequence', 'traceparent'),
  toNode: toPayment,
});

/** A payee as its readers see it. Only the provider gets the whole destination. */
export type Payee = ReturnType<typeof toPayee>;

export function toPayee(row: Omit<TableRow<typeof PayeeTable>, 'workspaceId' | 'changeId' | 'former'>) {
  return {
    id: row.id,
    workerId: row.workerId,
    holder: row.holder,
    payoutMethod: row.payoutMethod,
    destinationEnding: row.destination.replaceAll(/\s/g, '').slice(-4),
    verificationStatus: row.verificationStatus,
    rejectionReason: row.rejectionReason,
    stoppedAt: row.stoppedAt,
    // Every change moves it, and it is unique within the workspace.
    version: row.updatedAt,
    changedBy: row.changedBy,
    verifiedBy: row.verifiedBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const payees = defineView({
  list: 'payees',
  table: PayeeTable,
  columns: columnsExcept(PayeeTable, 'workspaceId', 'changeId', 'former'),
  toNode: toPayee,
});

/** A request to move money as its readers see it; it takes effect once a second person has countersigned it. */
export type Instruction = ReturnType<typeof toInstruction>;

type InstructionRow = Omit<TableRow<typeof InstructionTable>, 'workspaceId'>;

export function toInstruction(row: InstructionRow, isOver = false) {
  const { instructed, decidedBy } = row;
  return {
    id: row.id,
    kind: row.kind,
    status: isOver && row.status === 'requested' ? ('expired' as const) : row.status,
    requestedBy: row.requestedBy,
    decidedBy,
    amount: instructed.amount,
    paymentId: 'paymentId' in instructed ? instructed.paymentId : null,
    orderId: 'orderId' in instructed ? instructed.orderId : null,
    payeeId: 'payee' in instructed ? (instructed.payee?.id ?? null) : null,
    account: 'account' in instructed ? instructed.account : null,
    reference: 'reference' in instructed ? instructed.reference : null,
    bankTransactionId: row.bankTransactionId,
    reason: 'reason' in instructed ? instructed.reason : null,
    requestedAt: row.createdAt,
    expiresAt: row.expiresAt,
    decidedAt: decidedBy === null ? null : row.updatedAt,
  };
}

export const instructions = defineView({
  list: 'instructions',
  table: InstructionTable,
  columns: sql`${columnsExcept(InstructionTable, 'workspaceId')}, ${computed('isOver', 'boolean', sql`expires_at <= now()`)}`,
  toNode: ({ isOver, ...row }) => toInstruction(row, isOver),
});

export const unclaimedOrders = defineView({
  list: 'unclaimed-orders',
  table: UnclaimedOrderTable,
  columns: columnsExcept(UnclaimedOrderTable, 'workspaceId', 'payoutMethod', 'destination'),
  toNode: ({ amount, currency, ...order }) => ({ ...order, amount: { amount, currency } }),
});
