import { INTERNAL, Money, newId } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { netOf } from '../domain/deduction.js';
import { enteredAmount, enteredText } from '../domain/entered.js';
import type { Payment } from '../domain/payment.js';
import { DeductionTable } from '../store/tables.js';
import { toPayment } from '../store/to-payment.js';
import { findPendingPayment } from './find-payment.js';

export interface AddDeduction {
  paymentId: string;
  name: string;
  /** Decimal string above zero, in the payment's currency. */
  amount: string;
}

const MAX_NAME_LENGTH = 100;

/** The worker gets less of a payment that is still pending. */
export const addDeduction = defineCommand(
  'deduction.add',
  INTERNAL,
  async (tx, input: AddDeduction): Promise<Payment> => {
    const payment = await findPendingPayment(tx, input.paymentId);
    const name = enteredText('name', input.name, MAX_NAME_LENGTH);
    const amount = enteredAmount(input.amount, payment.currency);
    payment.net = netOf(Money.stored(payment.net, payment.currency), [amount]).amount;
    payment.updatedAt = tx.now;
    const deduction = tx.em.create(DeductionTable, {
      workspaceId: tx.workspaceId,
      id: newId(),
      paymentId: payment.id,
      name,
      amount: amount.amount,
      createdAt: tx.now,
    });
    tx.em.persist(deduction);
    tx.audit('deduction.added', payment.id, { deductionId: deduction.id, name, amount, net: payment.net });
    return toPayment(payment);
  },
);
