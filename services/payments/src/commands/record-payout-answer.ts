import { LockMode, type InferEntity } from '@mikro-orm/core';
import { amountProblem, Money, notFound, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { releaseEntries, settlementEntries } from '../domain/ledger.js';
import { alarmOf, isNews, type KnownPayout } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { findPayment, movePayment, type PaymentEntity } from './payment.js';
import { postToLedger } from './post-to-ledger.js';

/** Nothing was heard when the provider does not know it. */
type Answer = { paymentId: string; attempt: number; heard: KnownPayout | null };

type AttemptEntity = InferEntity<typeof PayoutAttemptTable>;

/** Recorded once, however often and by whomever it is heard: a settled or declined attempt changes no more. */
export const recordPayoutAnswer = defineCommand('payout.record-answer', {
  who: SYSTEM_ONLY,
  decide: async (tx, input: Answer) => {
    const { paymentId, attempt: number, heard } = input;
    const payment = await findPayment(tx, paymentId);
    const attempt = await findAttempt(tx, paymentId, number);
    if (attempt.status === 'settled' || attempt.status === 'declined') return;
    const { status, alarm, payoutMethod, destination, amount, currency } = attempt;
    const open = { status, alarm, payoutMethod, destination, amount: { amount, currency } };
    if (!isNews(open, heard)) return;
    attempt.updatedAt = tx.now;
    attempt.alarm = alarmOf(open, heard);
    if (heard) attempt.providerReference = heard.reference;
    const reference = attempt.providerReference;
    if (attempt.alarm !== null || heard === null) {
      // No money moves: a person has to find out what happened.
      tx.audit('payout.alarm', paymentId, { attempt: number, alarm: attempt.alarm, reference });
      return;
    }
    tx.audit(`payout.${heard.status}`, paymentId, { attempt: number, reference });
    if (heard.status === 'submitted') attempt.status = 'submitted';
    else await finishAttempt(tx, payment, attempt, heard.status);
  },
});

/** Books what became of it. */
export async function finishAttempt(
  tx: CommandTransaction,
  payment: PaymentEntity,
  attempt: AttemptEntity,
  status: 'settled' | 'declined',
): Promise<void> {
  Object.assign(attempt, { status, alarm: null, updatedAt: tx.now });
  await (status === 'settled' ? settle : release)(tx, payment, attempt);
}

/** The attempt, locked until commit. */
export async function findAttempt(tx: CommandTransaction, paymentId: string, number: number): Promise<AttemptEntity> {
  const key = { workspaceId: tx.workspaceId, paymentId, number };
  const attempt = await tx.em.findOne(PayoutAttemptTable, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!attempt) throw notFound('The payout attempt');
  return attempt;
}

async function settle(tx: CommandTransaction, payment: PaymentEntity, attempt: AttemptEntity): Promise<void> {
  const gross = Money.stored(payment.gross, payment.currency);
  const entries = settlementEntries(gross, Money.stored(attempt.amount, attempt.currency));
  await postToLedger(tx, 'settlement', entries, { paymentId: payment.id, attempt: attempt.number });
  movePayment(tx, payment, 'complete', { completedAt: tx.now });
}

async function release(tx: CommandTransaction, payment: PaymentEntity, attempt: AttemptEntity): Promise<void> {
  const entries = releaseEntries(Money.stored(attempt.amount, attempt.currency));
  await postToLedger(tx, 'release', entries, { paymentId: payment.id, attempt: attempt.number });
  const failureReason = amountProblem(attempt) ? 'amount_unpayable' : 'provider_declined';
  movePayment(tx, payment, 'fail', { failureReason });
}
