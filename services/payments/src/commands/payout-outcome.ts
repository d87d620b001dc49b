import { DomainError, Money, staffOfTeams, unavailable } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { personOfFinance, type OutcomeInstructed } from '../domain/instruction.js';
import { isSameMoney, requireAgreement, requireAlarm, type ProviderPayout } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { enteredReason, keep } from './keep-instruction.js';
import { findPayment } from './payment.js';
import { findAttempt, findNewestAttempt, finishAttempt } from './record-payout-answer.js';

export type OutcomeOfPayout = { paymentId: string; wasPaid: boolean; reason: string };

/** Requests to record what the provider told a person about a payout under an alarm. */
export const requestOutcome = defineCommand('payout.request-outcome', {
  who: staffOfTeams('finance'),
  decide: async (tx, { paymentId, wasPaid, reason: text }: OutcomeOfPayout) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const reason = enteredReason(text);
    const { id } = await findPayment(tx, paymentId);
    const attempt = await findNewestAttempt(tx, id);
    if (!attempt) throw new DomainError('INVALID_STATE', 'No payout of this payment has an alarm.');
    requireAlarm(attempt);
    const kind = wasPaid ? 'was_paid' : 'never_paid';
    // A submitted order may be settled or declined before the countersignature, so only final answers are compared
    // here.
    if (attempt.heard && attempt.heard.status !== 'submitted') requireAgreement(kind, attempt.heard);
    const amount = attempt.heard?.amount ?? { amount: attempt.amount, currency: attempt.currency };
    return keep(tx, { kind, paymentId: id, attempt: attempt.number, amount, reason }, requestedBy);
  },
});

/** Two people decide only if the provider does not know the order; otherwise its answer counts. */
export async function recordOutcome(
  tx: CommandTransaction,
  id: string,
  instructed: OutcomeInstructed,
  heard: ProviderPayout | null | undefined,
): Promise<void> {
  const { kind, paymentId, attempt: number, reason } = instructed;
  const payment = await findPayment(tx, paymentId);
  const attempt = await findAttempt(tx, paymentId, number);
  requireAlarm(attempt);
  if (heard === undefined) throw unavailable('The payout provider');
  requireAgreement(kind, heard);
  if (kind === 'was_paid' && heard && !isSameMoney(heard.amount, instructed.amount)) {
    throw new DomainError('INVALID_STATE', 'The payout provider now reports another amount: request this again.');
  }
  const status = kind === 'was_paid' ? 'settled' : 'declined';
  const { amount } = instructed;
  tx.audit(`payout.${status}`, paymentId, { attempt: number, instruction: id, alarm: attempt.alarm, amount, reason });
  const noted = heard ? tx.update(PayoutAttemptTable, attempt, { heard }) : attempt;
  await finishAttempt(tx, payment, noted, status, Money.stored(amount.amount, amount.currency));
}
