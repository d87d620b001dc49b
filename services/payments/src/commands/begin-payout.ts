import { dayOf, daysAfter, DomainError, Money, SYSTEM_ONLY, type Instant } from '@payroll/kernel';
import { validDaysAhead } from '@payroll/service';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { reservationEntries, settlementEntries } from '../domain/ledger.js';
import { followPayment, requireDue } from '../domain/payment.js';
import {
  decidePayout,
  idempotencyKey,
  requireFresh,
  type PartyFreshness,
  type ProviderPayout,
} from '../domain/payout.js';
import { PayoutAttemptTable, UnclaimedOrderTable } from '../store/money-tables.js';
import { BusinessTable, ContractWorkerTable, PayeeTable } from '../store/tables.js';
import { HELD, isHeldByOrder, findPayment, movePayment, type PaymentRow, tellOutcome } from './payment.js';
import { availableFunds, postToLedger } from './post-to-ledger.js';

interface Found {
  paymentId: string;
  learned: PartyFreshness;
}

/** Processes a payment that the job has listed. Only Postgres' clock decides whether it is due. */
export const processPayment = defineCommand('payment.process', {
  who: SYSTEM_ONLY,
  decide: async (tx, { paymentId, learned }: Found) => {
    const payment = await findPayment(tx, paymentId);
    requireDue(payment, dayOf(await nowOf(tx, learned)));
    await begin(tx, payment, learned);
  },
});

/**
 * Reserves the net and commits an attempt, which the job submits; or fails the payment, and no money moves.
 * @param claimed an order that the provider already has and that has paid this payment: the attempt takes it over
 * @returns the payment afterwards
 * @throws DomainError `INVALID_STATE` while an unclaimed order holds the worker's payouts, or their details have changed
 * lately
 */
export async function beginPayout(
  tx: CommandTransaction,
  due: PaymentRow,
  learned: PartyFreshness,
  claimed?: UnclaimedOrder,
): Promise<PaymentRow> {
  const begun = await begin(tx, due, learned, claimed);
  if (begun === 'held') throw new DomainError('INVALID_STATE', HELD);
  // People read it too.
  if ('waitsUntil' in begun) {
    const minute = begun.waitsUntil.slice(0, '2026-01-31T09:30'.length).replace('T', ' ');
    throw new DomainError('INVALID_STATE', `${WAITS} ${minute} UTC.`);
  }
  return begun;
}

const WAITS = 'The payout details of this worker are on hold: nothing is paid to them before';

type UnclaimedOrder = TableRow<typeof UnclaimedOrderTable>;

async function begin(
  tx: CommandTransaction,
  due: PaymentRow,
  learned: PartyFreshness,
  claimed?: UnclaimedOrder,
): Promise<PaymentRow | 'held' | { waitsUntil: Instant }> {
  followPayment(due.status, 'process');
  const gross = Money.stored(due.gross, due.currency);
  const net = Money.stored(due.net, due.currency);
  const now = await nowOf(tx, learned);
  const decision = decidePayout({ ...(await findParties(tx, due, learned)), now, gross, net });
  if (claimed && decision.kind !== 'pay') {
    const why = decision.kind === 'refuse' ? decision.reason : decision.kind;
    throw new DomainError('INVALID_STATE', `The payment cannot take over the order (${why}).`);
  }
  switch (decision.kind) {
    case 'wait':
      return { waitsUntil: decision.until };
    case 'pay':
      return await pay(tx, due, decision.payee, net, claimed);
    case 'nothing_to_pay': {
      const processing = startProcessing(tx, due);
      await postToLedger(tx, 'settlement', settlementEntries(gross, net), { paymentId: due.id });
      return movePayment(tx, processing, 'complete', { completedAt: tx.now });
    }
    case 'refuse': {
      const failed = movePayment(tx, startProcessing(tx, due), 'fail', { failureReason: decision.reason });
      return await tellOutcome(tx, failed);
    }
  }
}

/** Takes over an open order for the payment's own work. Any other one that may have paid the worker holds the payment. */
async function pay(
  tx: CommandTransaction,
  due: PaymentRow,
  payee: TableRow<typeof PayeeTable>,
  net: Money,
  claimed: UnclaimedOrder | undefined,
): Promise<PaymentRow | 'held'> {
  // Also refuses to take over an order before the comparison: the attempt would be the newest one, from which the comparison
  // begins, and older orders would be missed.
  const isHeld = await isHeldByOrder(tx, payee.workerId, payee);
  const { sourceType, sourceId } = due;
  const found = await tx.all(UnclaimedOrderTable, { sourceType, sourceId });
  const ofWork = found.toSorted((one, other) => (one.orderedAt < other.orderedAt ? -1 : 1));
  const order = claimed ?? ofWork.find(({ status }) => status === 'open');
  if (isHeld && !order) return 'held';
  const payment = startProcessing(tx, due);
  if (order && !claimed) claimOfItself(tx, order, due.id);
  await prepareAttempt(tx, payment, payee, net, { order, ofWork });
  return payment;
}

function startProcessing(tx: CommandTransaction, due: PaymentRow): PaymentRow {
  return movePayment(tx, due, 'process', { processedAt: tx.now });
}

/** By the workspace's calendar, as far as it is still ahead in this transaction. */
async function nowOf(tx: CommandTransaction, { daysAhead }: PartyFreshness): Promise<Instant> {
  return daysAfter(tx.now, await validDaysAhead(tx, daysAhead));
}

/** Takes over an order for the payment's own work. No person has to decide: it cannot pay the work a second time. */
function claimOfItself(tx: CommandTransaction, order: UnclaimedOrder, paymentId: string): void {
  tx.update(UnclaimedOrderTable, order, { status: 'claimed', updatedAt: tx.now });
  tx.audit('unclaimed-order.claimed', order.id, { paymentId });
}

async function findParties(tx: CommandTransaction, { contractId, currency }: PaymentRow, learned: PartyFreshness) {
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
  { id: payeeId, workerId, payoutMethod, destination }: TableRow<typeof PayeeTable>,
  net: Money,
  { order, ofWork }: { order: UnclaimedOrder | undefined; ofWork: readonly UnclaimedOrder[] },
): Promise<void> {
  const before = await tx.all(PayoutAttemptTable, { paymentId });
  const number = 1 + before.length;
  const used = new Set([...before, ...ofWork].map((each) => each.idempotencyKey));
  tx.insert(PayoutAttemptTable, {
    paymentId,
    number,
    // The provider has acknowledged an order that is taken over: if it no longer finds it, the order must not be sent again.
    status: order ? 'submitted' : 'prepared',
    idempotencyKey: order?.idempotencyKey ?? idempotencyKey({ type: sourceType, id: sourceId }, number, used),
    payeeId,
    workerId,
    payoutMethod,
    destination,
    currency,
    amount: net.amount,
    providerReference: order?.providerReference ?? null,
    heard: order ? heardOf(order) : null,
    alarm: null,
    // The first poll of an attempt submits without a lookup, but an order that is taken over must be looked up.
    polls: order ? 1 : 0,
    nextPollAt: null,
  });
  tx.audit('payout.prepared', paymentId, { attempt: number, payeeId });
  await postToLedger(tx, 'reservation', reservationEntries(net), { paymentId, attempt: number });
}

/** The answer of the provider about an order when it was compared; its outcome is looked up. */
function heardOf({
  providerReference: reference,
  payoutMethod,
  destination,
  ...order
}: UnclaimedOrder): ProviderPayout {
  const amount = { amount: order.amount, currency: order.currency };
  return { status: 'submitted', reference, amount, payoutMethod, destination };
}
