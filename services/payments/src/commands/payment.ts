import { newEvent } from '@payroll/events';
import { notFound, type PaymentStatus } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { followPayment, type PaymentEdge } from '../domain/payment.js';
import { PaymentTable } from '../store/tables.js';

export type PaymentRow = TableRow<typeof PaymentTable>;

/** The payment, locked until commit. */
export async function findPayment(tx: CommandTransaction, id: string): Promise<PaymentRow> {
  const payment = await tx.lock(PaymentTable, id);
  if (!payment) throw notFound('The payment');
  return payment;
}

type Changes = Partial<Pick<PaymentRow, 'processedAt' | 'completedAt' | 'failureReason'>>;

/** Follows an edge of the payment's state machine, and tells review under the next sequence. @returns the payment after it */
export function movePayment(
  tx: CommandTransaction,
  payment: PaymentRow,
  edge: PaymentEdge,
  changes: Changes = {},
): PaymentRow {
  const status = followPayment(payment.status, edge);
  const sequence = payment.sequence + 1;
  const moved = tx.update(PaymentTable, payment, { ...changes, status, sequence, updatedAt: tx.now });
  const { id, net, currency } = moved;
  const action = edge === 'retry' ? 'payment.retried' : TOLD[status];
  tx.audit(action, id, { sequence, net: { amount: net, currency }, ...changes });
  tellPayment(tx, moved);
  return moved;
}

/** A payment that is pending again after a retry is told as created, with a higher sequence than its failure. */
export function tellPayment(
  tx: CommandTransaction,
  payment: Pick<PaymentRow, 'id' | 'sourceType' | 'sourceId' | 'sequence' | 'status'>,
): void {
  const { id: paymentId, sourceType, sourceId, sequence, status } = payment;
  tx.emit(newEvent(TOLD[status], paymentId, { paymentId, sourceType, sourceId, sequence, status }));
}

const TOLD = {
  pending: 'payment.created',
  processing: 'payment.processing',
  completed: 'payment.completed',
  failed: 'payment.failed',
  cancelled: 'payment.cancelled',
} as const satisfies Record<PaymentStatus, string>;
