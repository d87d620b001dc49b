import { addDays, dayOf, DomainError } from '@payroll/kernel';
import { daysAhead, defineSandboxCommand } from '@payroll/service';
import { fundingEntries } from '../domain/ledger.js';
import { requireSeen } from '../domain/payee.js';
import { enteredAmount, type MoneyValue } from '../domain/values.js';
import { PaymentTable } from '../store/tables.js';
import { toPayee, toPayment, type Payment } from '../store/views.js';
import { findPayee, movePayee } from './payees.js';
import { findPayment } from './payment.js';
import { postToLedger } from './post-to-ledger.js';
import { findNewestAttempt } from './record-payout-answer.js';

// Simulates the bank, our verification staff, the calendar and the payout provider.

export type SimulatedOutcome = 'settled' | 'declined';

/** A transfer from the bank arrives. */
export const fundInSandbox = defineSandboxCommand(
  'sandbox.fund',
  async (tx, input: { amount: string; currency: string }): Promise<MoneyValue> => {
    const amount = enteredAmount(input.amount, input.currency);
    await postToLedger(tx, 'funding', fundingEntries(amount), { reference: 'sandbox' });
    tx.audit('workspace.funded', tx.workspaceId, { amount, reference: 'sandbox' });
    return amount.toJSON();
  },
);

/** Our staff confirm that the destination is the worker's. */
export const verifyPayeeInSandbox = defineSandboxCommand(
  'sandbox.verify-payee',
  async (tx, { id, expectedVersion }: { id: string; expectedVersion: string }) => {
    const payee = await findPayee(tx, id);
    requireSeen(payee, tx.origin.actor, expectedVersion);
    const { changedBy } = payee;
    if (changedBy === null) {
      throw new DomainError('INVALID_STATE', 'It is not known who entered this destination: enter it again.');
    }
    const verifiedBy = 'sandbox';
    const verified = movePayee(tx, payee, 'verify', { verifiedBy });
    tx.audit('payee.verified', id, { changedBy, verifiedBy });
    return toPayee(verified);
  },
);

/** The payment's scheduled date arrives. */
export const makeDueInSandbox = defineSandboxCommand(
  'sandbox.make-due',
  async (tx, { paymentId }: { paymentId: string }): Promise<Payment> => {
    const payment = await findPayment(tx, paymentId);
    const today = dayOf(tx.now);
    const { status, scheduledDate: from } = payment;
    if (status !== 'pending' || from === null || from <= addDays(today, await daysAhead(tx))) {
      throw new DomainError('INVALID_STATE', 'Only a pending payment that is due on a later day can be made due.');
    }
    const due = tx.update(PaymentTable, payment, { scheduledDate: today, updatedAt: tx.now });
    tx.audit('payment.made-due', due.id, { scheduledDate: { from, to: today } });
    return toPayment(due);
  },
);

/**
 * Finds the order that the provider shall settle or decline; the result follows from the provider's answer, as usual.
 */
export const finishPayoutInSandbox = defineSandboxCommand(
  'sandbox.finish-payout',
  async (tx, { paymentId, outcome }: { paymentId: string; outcome: SimulatedOutcome }) => {
    const payment = await findPayment(tx, paymentId);
    const attempt = await findNewestAttempt(tx, payment.id);
    if (attempt?.status !== 'submitted') {
      throw new DomainError('INVALID_STATE', 'The provider has no payout in progress for this payment.');
    }
    tx.audit('payout.outcome-asked', payment.id, { attempt: attempt.number, outcome });
    return { payment: toPayment(payment), idempotencyKey: attempt.idempotencyKey };
  },
);
