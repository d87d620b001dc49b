import { LockMode, type InferEntity } from '@mikro-orm/core';
import { Money, notFound, requireInternal } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { releaseEntries, settlementEntries } from '../domain/ledger.js';
import type { PayoutAnswer } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/payout-tables.js';
import { findPayment, type PaymentEntity } from './find-payment.js';
import { movePayment } from './move-payment.js';
import { postToLedger } from './post-to-ledger.js';

export interface RecordPayoutAnswer {
  paymentId: string;
  attempt: number;
  answer: PayoutAnswer;
}

type AttemptEntity = InferEntity<typeof PayoutAttemptTable>;

/**
 * What the provider says became of an attempt. Heard twice, or by two runners, it is recorded once: an attempt that has
 * had its last word changes no more.
 */
export const recordPayoutAnswer = defineCommand(
  'payout.record-answer',
  async (tx, { paymentId, attempt: number, answer }: RecordPayoutAnswer): Promise<void> => {
    requireInternal(tx.origin.actor);
    const payment = await findPayment(tx, paymentId);
    const attempt = await findAttempt(tx, paymentId, number);
    if (attempt.status === 'settled' || attempt.status === 'declined') return;
    attempt.providerReference = answer.reference;
    attempt.updatedAt = tx.now;
    attempt.status = answer.status;
    tx.audit(`payout.${answer.status}`, paymentId, { attempt: number, reference: answer.reference });
    if (answer.status === 'settled') await settle(tx, payment, attempt);
    if (answer.status === 'declined') await release(tx, payment, attempt);
  },
);

async function findAttempt(tx: CommandTransaction, paymentId: string, number: number): Promise<AttemptEntity> {
  const key = { workspaceId: tx.workspaceId, paymentId, number };
  const attempt = await tx.em.findOne(PayoutAttemptTable, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!attempt) throw notFound('The payout attempt');
  return attempt;
}

async function settle(tx: CommandTransaction, payment: PaymentEntity, attempt: AttemptEntity): Promise<void> {
  const entries = settlementEntries(
    Money.of(payment.gross, payment.currency),
    Money.of(attempt.amount, attempt.currency),
  );
  await postToLedger(tx, {
    kind: 'settlement',
    currency: attempt.currency,
    entries,
    paymentId: payment.id,
    attempt: attempt.number,
  });
  movePayment(tx, payment, 'complete', { completedAt: tx.now });
}

async function release(tx: CommandTransaction, payment: PaymentEntity, attempt: AttemptEntity): Promise<void> {
  const entries = releaseEntries(Money.of(attempt.amount, attempt.currency));
  await postToLedger(tx, {
    kind: 'release',
    currency: attempt.currency,
    entries,
    paymentId: payment.id,
    attempt: attempt.number,
  });
  movePayment(tx, payment, 'fail', { failureReason: 'provider_declined' });
}
