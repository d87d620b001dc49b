import { INTERNAL, isId, Money, notFound } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Payment } from '../domain/payment.js';
import { DeductionTable } from '../store/tables.js';
import { toPayment } from '../store/to-payment.js';
import { findPendingPayment } from './find-payment.js';

export interface RemoveDeduction {
  paymentId: string;
  deductionId: string;
}

/** The worker gets this part of a payment, which is still pending, after all. */
export const removeDeduction = defineCommand(
  'deduction.remove',
  INTERNAL,
  async (tx, { paymentId, deductionId }: RemoveDeduction): Promise<Payment> => {
    const payment = await findPendingPayment(tx, paymentId);
    const { workspaceId } = tx;
    const deduction = isId(deductionId)
      ? await tx.em.findOne(DeductionTable, { workspaceId, id: deductionId, paymentId: payment.id })
      : null;
    if (!deduction) throw notFound('The deduction');
    const amount = Money.stored(deduction.amount, payment.currency);
    payment.net = Money.stored(payment.net, payment.currency).plus(amount).amount;
    payment.updatedAt = tx.now;
    tx.em.remove(deduction);
    tx.audit('deduction.removed', payment.id, { deductionId, name: deduction.name, amount, net: payment.net });
    return toPayment(payment);
  },
);
