import { newEvent } from '@payroll/events';
import { notFound, type PaymentStatus } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { currentTraceparent } from '@payroll/runtime';
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

/**
 * Follows an edge of the payment's state machine and emits its event with the next sequence.
 * @returns the payment afterwards
 */
export function movePayment(
  tx: CommandTransaction,
  payment: PaymentRow,
  edge: PaymentEdge,
  changes: Changes = {},
): PaymentRow {
  const status = followPayment(payment.status, edge);
  const sequence = payment.sequence + 1;
  const traceparent = currentTraceparent() ?? null;
  const moved = tx.update(PaymentTable, payment, { ...changes, status, sequence, traceparent, updatedAt: tx.now });
  const { id, sourceType, sourceId, net, currency } = moved;
  tx.audit(EVENT_OF[status], id, { sequence, net: { amount: net, currency }, ...changes });
  tx.emit(newEvent(EVENT_OF[status], id, { paymentId: id, sourceType, sourceId, sequence, status }));
  return moved;
}

/** A new payment has no event: review knows about it from the approval. */
const EVENT_OF = {
  pending: 'payment.retried',
  processing: 'payment.processing',
  completed: 'payment.completed',
  failed: 'payment.failed',
  cancelled: 'payment.cancelled',
} as const satisfies Record<PaymentStatus, string>;
