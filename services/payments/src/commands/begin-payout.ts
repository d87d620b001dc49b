import { addDays, dayOf, Money, SYSTEM_ONLY } from '@payroll/kernel';
import { daysStillAhead } from '@payroll/service';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { reservationEntries, settlementEntries } from '../domain/ledger.js';
import { requireDue } from '../domain/payment.js';
import { decidePayout, idempotencyKey, requireFresh, type Learned } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { BusinessTable, ContractWorkerTable, PayeeTable } from '../store/tables.js';
import { findPayment, movePayment, type PaymentRow } from './payment.js';
import { availableFunds, postToLedger } from './post-to-ledger.js';

interface Found {
  paymentId: string;
  learned: Learned;
  /** Of the workspace's calendar (see `Calendar`). */
  daysAhead: number;
}

/** What the runner does with a payment that it has found: only Postgres' clock decides whether it is due. */
export const processPayment = defineCommand('payment.process', {
  who: SYSTEM_ONLY,
  decide: async (tx, { paymentId, learned, daysAhead }: Found) => {
    const payment = await findPayment(tx, paymentId);
    requireDue(payment, addDays(dayOf(tx.now), await daysStillAhead(tx, daysAhead)));
    await beginPayout(tx, payment, learned);
  },
});

/**
 * Reserves the net and commits an attempt, which the runner submits; or fails the payment, and no money moves.
 * @returns the payment after it
 */
export async function beginPayout(tx: CommandTransaction, due: PaymentRow, learned: Learned): Promise<PaymentRow> {
  const payment = movePayment(tx, due, 'process', { processedAt: tx.now });
  const gross = Money.stored(payment.gross, payment.currency);
  const net = Money.stored(payment.net, payment.currency);
  const decision = decidePayout({ ...(await findParties(tx, payment, learned)), gross, net });
  switch (decision.kind) {
    case 'pay':
      await prepareAttempt(tx, payment, decision.payee, net);
      return payment;
    case 'nothing_to_pay':
      await postToLedger(tx, 'settlement', settlementEntries(gross, net), { paymentId: payment.id });
      return movePayment(tx, payment, 'complete', { completedAt: tx.now });
    case 'refuse':
      return movePayment(tx, payment, 'fail', { failureReason: decision.reason });
  }
}

async function findParties(tx: CommandTransaction, { contractId, currency }: PaymentRow, learned: Learned) {
  const contract = await tx.find(ContractWorkerTable, { contractId });
  const business = await tx.find(BusinessTable, {});
  requireFresh(learned, { contract, business }, tx.now);
  const workerId = contract?.workerId;
  return {
    payee: workerId ? await tx.find(PayeeTable, { workerId }) : null,
    kybStatus: business?.kybStatus ?? null,
    available: await availableFunds(tx, currency),
  };
}

async function prepareAttempt(
  tx: CommandTransaction,
  { id: paymentId, sourceType, sourceId, currency }: PaymentRow,
  { id: payeeId, payoutMethod, destination }: TableRow<typeof PayeeTable>,
  net: Money,
): Promise<void> {
  const { workspaceId, now } = tx;
  const number = 1 + (await tx.all(PayoutAttemptTable, { paymentId })).length;
  tx.insert(PayoutAttemptTable, {
    workspaceId,
    paymentId,
    number,
    status: 'prepared',
    idempotencyKey: idempotencyKey({ type: sourceType, id: sourceId }, number),
    payeeId,
    payoutMethod,
    destination,
    currency,
    amount: net.amount,
    providerReference: null,
    alarm: null,
    polls: 0,
    nextPollAt: null,
    createdAt: now,
    updatedAt: now,
  });
  tx.audit('payout.prepared', paymentId, { attempt: number, payeeId });
  await postToLedger(tx, 'reservation', reservationEntries(net), { paymentId, attempt: number });
}
