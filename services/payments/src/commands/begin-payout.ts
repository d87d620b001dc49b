import { Money } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import type { InferEntity } from '@mikro-orm/core';
import { requireFresh, type Learned } from '../domain/learned.js';
import { reservationEntries, settlementEntries } from '../domain/ledger.js';
import { decidePayout, idempotencyKey } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/payout-tables.js';
import { BusinessTable, ContractWorkerTable, PayeeTable } from '../store/tables.js';
import type { PaymentEntity } from './find-payment.js';
import { movePayment } from './move-payment.js';
import { availableFunds, postToLedger } from './post-to-ledger.js';

type PayeeEntity = InferEntity<typeof PayeeTable>;

/**
 * Begins to pay a payment out: its net is set aside and an attempt is committed, which the payout runner then submits.
 * Where that cannot be, the payment fails with the reason, in the same transaction, and no money moves.
 */
export async function beginPayout(tx: CommandTransaction, payment: PaymentEntity, learned: Learned): Promise<void> {
  movePayment(tx, payment, 'process', { processedAt: tx.now });
  const gross = Money.stored(payment.gross, payment.currency);
  const net = Money.stored(payment.net, payment.currency);
  const decision = decidePayout({ ...(await findParties(tx, payment, learned)), gross, net });
  switch (decision.kind) {
    case 'pay':
      return await prepareAttempt(tx, payment, decision.payee, net);
    case 'nothing_to_pay':
      return await settleWithheld(tx, payment, gross, net);
    case 'refuse':
      return movePayment(tx, payment, 'fail', { failureReason: decision.reason });
  }
}

async function findParties(tx: CommandTransaction, { contractId, currency }: PaymentEntity, learned: Learned) {
  const { em, workspaceId } = tx;
  const contract = await em.findOne(ContractWorkerTable, { workspaceId, contractId });
  const business = await em.findOne(BusinessTable, { workspaceId });
  requireFresh(learned, { contractRevision: contract?.revision, businessRevision: business?.revision }, tx.now);
  const workerId = contract?.workerId;
  return {
    payee: workerId ? await em.findOne(PayeeTable, { workspaceId, workerId }) : null,
    kybStatus: business?.kybStatus ?? null,
    available: await availableFunds(tx, currency),
  };
}

async function prepareAttempt(
  tx: CommandTransaction,
  { id: paymentId, sourceType, sourceId, currency }: PaymentEntity,
  payee: PayeeEntity,
  net: Money,
): Promise<void> {
  const { em, workspaceId, now } = tx;
  const number = 1 + (await em.count(PayoutAttemptTable, { workspaceId, paymentId }));
  const attempt = em.create(PayoutAttemptTable, {
    workspaceId,
    paymentId,
    number,
    status: 'prepared',
    idempotencyKey: idempotencyKey({ type: sourceType, id: sourceId }, number),
    payeeId: payee.id,
    payoutMethod: payee.payoutMethod,
    destination: payee.destination,
    currency,
    amount: net.amount,
    providerReference: null,
    alarm: null,
    looks: 0,
    askAt: null,
    createdAt: now,
    updatedAt: now,
  });
  em.persist(attempt);
  tx.audit('payout.prepared', paymentId, { attempt: number, payeeId: payee.id });
  await postToLedger(tx, {
    kind: 'reservation',
    currency,
    entries: reservationEntries(net),
    paymentId,
    attempt: number,
  });
}

async function settleWithheld(tx: CommandTransaction, payment: PaymentEntity, gross: Money, net: Money): Promise<void> {
  const entries = settlementEntries(gross, net);
  if (entries.length > 0)
    await postToLedger(tx, { kind: 'settlement', currency: net.currency, entries, paymentId: payment.id });
  movePayment(tx, payment, 'complete', { completedAt: tx.now });
}
