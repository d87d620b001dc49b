import { LockMode, type InferEntity } from '@mikro-orm/core';
import { newEvent } from '@payroll/events';
import { isId, notFound, type PaymentStatus } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { followPayment, type PaymentEdge } from '../domain/payment.js';
import { PaymentTable } from '../store/tables.js';

export type PaymentEntity = InferEntity<typeof PaymentTable>;

/** The payment, locked until commit. */
export async function findPayment({ em, workspaceId }: CommandTransaction, id: string): Promise<PaymentEntity> {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const payment = isId(id) ? await em.findOne(PaymentTable, { workspaceId, id }, locked) : null;
  if (!payment) throw notFound('The payment');
  return payment;
}

type Moved = Partial<Pick<PaymentEntity, 'processedAt' | 'completedAt' | 'failureReason'>>;

/** Follows an edge of the payment's state machine, and tells review under the next sequence. */
export function movePayment(
  tx: CommandTransaction,
  payment: PaymentEntity,
  edge: PaymentEdge,
  moved: Moved = {},
): void {
  payment.status = followPayment(payment.status, edge);
  payment.sequence += 1;
  payment.updatedAt = tx.now;
  Object.assign(payment, moved);
  const { sequence, net, currency } = payment;
  const action = edge === 'retry' ? 'payment.retried' : TOLD[payment.status];
  tx.audit(action, payment.id, { sequence, net: { amount: net, currency }, ...moved });
  tellPayment(tx, payment);
}

/** A payment that is pending again after a retry is told as created, with a higher sequence than its failure. */
export function tellPayment(
  tx: CommandTransaction,
  payment: Pick<PaymentEntity, 'id' | 'sourceType' | 'sourceId' | 'sequence' | 'status'>,
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
