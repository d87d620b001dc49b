import { Money, requireFound, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { columns, sql, type TableRow } from '@payroll/store';
import { releaseEntries, settlementEntries } from '../domain/ledger.js';
import { alarmOf, changesAttempt, type ProviderPayout } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { findPayment, movePayment, type PaymentRow, tellOutcome } from './payment.js';
import { postToLedger } from './post-to-ledger.js';

/**
 * `heard` is null if the provider does not know the order. Its key is compared: after a restore, an attempt may have the number of
 * one that was lost.
 */
type ProviderReport = { paymentId: string; attempt: number; idempotencyKey: string; heard: ProviderPayout | null };

type AttemptRow = TableRow<typeof PayoutAttemptTable>;

/** Idempotent: an answer is recorded once, and a settled or declined attempt does not change. */
export const recordPayoutAnswer = defineCommand('payout.record-answer', {
  who: SYSTEM_ONLY,
  decide: async (tx, input: ProviderReport) => {
    const { paymentId, attempt: number, idempotencyKey, heard } = input;
    const payment = await findPayment(tx, paymentId);
    const attempt = await findAttempt(tx, paymentId, number);
    if (attempt.status === 'settled' || attempt.status === 'declined') return;
    if (attempt.idempotencyKey !== idempotencyKey) return;
    const { status, alarm, heard: before, payoutMethod, destination, amount, currency } = attempt;
    const open = { status, alarm, heard: before, payoutMethod, destination, amount: { amount, currency } };
    if (!changesAttempt(open, heard)) return;
    const raised = alarmOf(open, heard);
    const reference = heard?.reference ?? attempt.providerReference;
    const changes = { alarm: raised, heard: heard ?? before, providerReference: reference, updatedAt: tx.now };
    const noted = tx.update(PayoutAttemptTable, attempt, changes);
    if (raised !== null || heard === null) {
      // No money moves: a person has to find out what happened.
      const said = heard && { status: heard.status, amount: heard.amount };
      tx.audit('payout.alarm', paymentId, { attempt: number, alarm: raised, reference, said });
      return;
    }
    tx.audit(`payout.${heard.status}`, paymentId, { attempt: number, reference });
    if (heard.status === 'submitted') tx.update(PayoutAttemptTable, noted, { status: 'submitted' });
    else await finishAttempt(tx, payment, noted, heard.status);
  },
});

/** Books a settled or declined attempt. @param paid the amount really paid, if it differs from the order */
export async function finishAttempt(
  tx: CommandTransaction,
  payment: PaymentRow,
  attempt: AttemptRow,
  status: 'settled' | 'declined',
  paid?: Money,
): Promise<void> {
  const finished = tx.update(PayoutAttemptTable, attempt, { status, alarm: null, updatedAt: tx.now });
  if (status === 'settled') await settle(tx, payment, finished, paid);
  else await release(tx, payment, finished);
}

const attemptsOf = ({ workspaceId }: CommandTransaction, paymentId: string) =>
  sql`select ${columns(PayoutAttemptTable)} from payout_attempt
    where workspace_id = ${workspaceId} and payment_id = ${paymentId}`;

/** The attempt, locked until commit. */
export async function findAttempt(tx: CommandTransaction, paymentId: string, number: number): Promise<AttemptRow> {
  const [attempt] = await tx.read(sql`${attemptsOf(tx, paymentId)} and number = ${number} for update`);
  return requireFound(attempt, 'The payout attempt');
}

export async function findNewestAttempt(tx: CommandTransaction, paymentId: string): Promise<AttemptRow | undefined> {
  const [attempt] = await tx.read(sql`${attemptsOf(tx, paymentId)} order by number desc limit 1`);
  return attempt;
}

async function settle(tx: CommandTransaction, payment: PaymentRow, attempt: AttemptRow, paid?: Money): Promise<void> {
  const gross = Money.stored(payment.gross, payment.currency);
  const entries = settlementEntries(gross, Money.stored(attempt.amount, attempt.currency), paid);
  await postToLedger(tx, 'settlement', entries, { paymentId: payment.id, attempt: attempt.number });
  await tellOutcome(tx, movePayment(tx, payment, 'complete', { completedAt: tx.now }));
}

async function release(tx: CommandTransaction, payment: PaymentRow, attempt: AttemptRow): Promise<void> {
  const entries = releaseEntries(Money.stored(attempt.amount, attempt.currency));
  await postToLedger(tx, 'release', entries, { paymentId: payment.id, attempt: attempt.number });
  await tellOutcome(tx, movePayment(tx, payment, 'fail', { failureReason: 'provider_declined' }));
}
