import { addDays, dayOf, DomainError, type Money } from '@payroll/kernel';
import { daysAhead, defineSandboxCommand } from '@payroll/service';
import { fundingEntries } from '../domain/ledger.js';
import { requireSeen } from '../domain/payee.js';
import { enteredAmount } from '../domain/values.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { toPayee, toPayment, type Payment } from '../store/views.js';
import { findPayee, movePayee } from './payees.js';
import { findPayment } from './payment.js';
import { postToLedger } from './post-to-ledger.js';

// What the bank, those who verify, the calendar and the provider do elsewhere.

export type Outcome = 'settled' | 'declined';

/** Money arrives. */
export const fundInSandbox = defineSandboxCommand(
  'sandbox.fund',
  async (tx, input: { amount: string; currency: string }): Promise<ReturnType<Money['toJSON']>> => {
    const amount = enteredAmount(input.amount, input.currency);
    await postToLedger(tx, 'funding', fundingEntries(amount), { reference: 'sandbox' });
    tx.audit('workspace.funded', tx.workspaceId, { amount, reference: 'sandbox' });
    return amount.toJSON();
  },
);

/** Whoever verifies finds that the destination is the worker's. */
export const verifyPayeeInSandbox = defineSandboxCommand(
  'sandbox.verify-payee',
  async (tx, { id, expectedVersion }: { id: string; expectedVersion: string }) => {
    const payee = await findPayee(tx, id);
    requireSeen(payee, tx.origin.actor, expectedVersion);
    const { changedBy } = payee;
    if (changedBy === null) {
      throw new DomainError('INVALID_STATE', 'It is not known who entered this destination: enter it anew.');
    }
    movePayee(tx, payee, 'verify', null);
    payee.verifiedBy = 'sandbox';
    tx.audit('payee.verified', id, { changedBy, verifiedBy: 'sandbox' });
    return toPayee(payee);
  },
);

/** The day comes on which it is due. */
export const makeDueInSandbox = defineSandboxCommand(
  'sandbox.make-due',
  async (tx, { paymentId }: { paymentId: string }): Promise<Payment> => {
    const payment = await findPayment(tx, paymentId);
    const today = dayOf(tx.now);
    const { status, scheduledDate: from } = payment;
    if (status !== 'pending' || from === null || from <= addDays(today, await daysAhead(tx))) {
      throw new DomainError('INVALID_STATE', 'Only a pending payment that is due on a later day can be made due.');
    }
    Object.assign(payment, { scheduledDate: today, updatedAt: tx.now });
    tx.audit('payment.made-due', payment.id, { scheduledDate: { from, to: today } });
    return toPayment(payment);
  },
);

/** Which order the provider is to settle or decline; what becomes of it here follows from its answer, as always. */
export const finishPayoutInSandbox = defineSandboxCommand(
  'sandbox.finish-payout',
  async (tx, { paymentId, outcome }: { paymentId: string; outcome: Outcome }) => {
    const payment = await findPayment(tx, paymentId);
    const where = { workspaceId: tx.workspaceId, paymentId: payment.id };
    const attempt = await tx.em.findOne(PayoutAttemptTable, where, { orderBy: { number: 'desc' } });
    if (attempt?.status !== 'submitted' || attempt.idempotencyKey === null) {
      throw new DomainError('INVALID_STATE', 'The provider has no payout of this payment under way.');
    }
    tx.audit('payout.outcome-asked', payment.id, { attempt: attempt.number, outcome });
    return { payment: toPayment(payment), idempotencyKey: attempt.idempotencyKey };
  },
);
