import { LockMode, type InferEntity } from '@mikro-orm/core';
import { DomainError, isId, notFound } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { PaymentTable } from '../store/tables.js';

export type PaymentEntity = InferEntity<typeof PaymentTable>;

/** The payment, locked until commit. */
export async function findPayment({ em, workspaceId }: CommandTransaction, id: string): Promise<PaymentEntity> {
  const payment = isId(id)
    ? await em.findOne(PaymentTable, { workspaceId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!payment) throw notFound('The payment');
  return payment;
}

/** @throws DomainError `INVALID_STATE` once what will be paid is decided. */
export async function findPendingPayment(tx: CommandTransaction, id: string): Promise<PaymentEntity> {
  const payment = await findPayment(tx, id);
  if (payment.status !== 'pending') {
    throw new DomainError('INVALID_STATE', `The payment is ${payment.status}; deductions belong to a pending one.`);
  }
  return payment;
}
