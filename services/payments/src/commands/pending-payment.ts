import { DomainError, INTERNAL, isId, Money, newId, notFound } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { followPayment, netOf } from '../domain/payment.js';
import { enteredAmount, enteredText } from '../domain/values.js';
import { ContractWorkerTable, DeductionTable, PayeeTable, PaymentTable } from '../store/tables.js';
import { toPayment } from '../store/views.js';
import { findHold, HELD } from './find-hold.js';
import { findPayment, movePayment, type PaymentRow } from './payment.js';

/**
 * Final. Only a pending payment can be cancelled, so no money was reserved for it. Refused for a payment that may
 * have been paid before a restore: it would look like work for which the worker was never paid.
 */
export const cancelPayment = defineCommand('payment.cancel', {
  who: INTERNAL,
  decide: async (tx, input: { paymentId: string }) => {
    const payment = await findPayment(tx, input.paymentId);
    followPayment(payment.status, 'cancel');
    const workerId = (await tx.find(ContractWorkerTable, { contractId: payment.contractId }))?.workerId ?? null;
    const payee = workerId === null ? null : await tx.find(PayeeTable, { workerId });
    if ((await findHold(tx, workerId, payee)) !== null) throw new DomainError('INVALID_STATE', HELD);
    return toPayment(movePayment(tx, payment, 'cancel'));
  },
});

/** The amount is a decimal string above zero, in the payment's currency. */
type AddDeduction = { paymentId: string; name: string; amount: string };

const MAX_NAME_LENGTH = 100;

export const addDeduction = defineCommand('deduction.add', {
  who: INTERNAL,
  decide: async (tx, input: AddDeduction) => {
    const payment = await findPendingPayment(tx, input.paymentId);
    const name = enteredText('name', input.name, MAX_NAME_LENGTH);
    const amount = enteredAmount(input.amount, payment.currency);
    const net = netOf(Money.stored(payment.net, payment.currency), [amount]).amount;
    const deduction = tx.insert(DeductionTable, {
      workspaceId: tx.workspaceId,
      id: newId(),
      paymentId: payment.id,
      name,
      amount: amount.amount,
      createdAt: tx.now,
    });
    tx.audit('deduction.added', payment.id, { deductionId: deduction.id, name, amount, net });
    return toPayment(tx.update(PaymentTable, payment, { net, updatedAt: tx.now }));
  },
});

export const removeDeduction = defineCommand('deduction.remove', {
  who: INTERNAL,
  decide: async (tx, { paymentId, deductionId: id }: { paymentId: string; deductionId: string }) => {
    const payment = await findPendingPayment(tx, paymentId);
    const deduction = isId(id) ? await tx.find(DeductionTable, { id, paymentId: payment.id }) : null;
    if (!deduction) throw notFound('The deduction');
    const amount = Money.stored(deduction.amount, payment.currency);
    const net = Money.stored(payment.net, payment.currency).plus(amount).amount;
    tx.remove(DeductionTable, deduction);
    tx.audit('deduction.removed', payment.id, { deductionId: id, name: deduction.name, amount, net });
    return toPayment(tx.update(PaymentTable, payment, { net, updatedAt: tx.now }));
  },
});

/** @throws DomainError `INVALID_STATE` unless the payment is pending. */
async function findPendingPayment(tx: CommandTransaction, id: string): Promise<PaymentRow> {
  const payment = await findPayment(tx, id);
  if (payment.status !== 'pending') {
    throw new DomainError(
      'INVALID_STATE',
      `The payment is ${payment.status}; only a pending payment's deductions can be changed.`,
    );
  }
  return payment;
}
