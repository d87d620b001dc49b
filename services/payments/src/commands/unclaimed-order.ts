import { DomainError, Money, requireFound, staffOfTeams, unavailable } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { personOfFinance, type OrderInstructed } from '../domain/instruction.js';
import { receivableEntries } from '../domain/ledger.js';
import { followPayment } from '../domain/payment.js';
import type { AskedFirst, ProviderPayout } from '../domain/payout.js';
import { mayTakeOver, requireOpen } from '../domain/unclaimed-order.js';
import { UnclaimedOrderTable } from '../store/money-tables.js';
import { PaymentTable } from '../store/tables.js';
import { beginPayout } from './begin-payout.js';
import { enteredReason, keep } from './keep-instruction.js';
import { findPayment } from './payment.js';
import { postToLedger } from './post-to-ledger.js';

export type EndOrder = Pick<OrderInstructed, 'orderId' | 'paymentId' | 'reason'>;

/** Requests to end an unclaimed order: a person explains what it was for. */
export const requestOrderEnd = defineCommand('unclaimed-order.request-end', {
  who: staffOfTeams('finance'),
  decide: async (tx, { orderId, paymentId, reason: text }: EndOrder) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const reason = enteredReason(text);
    const order = await findUnclaimedOrder(tx, orderId);
    requireOpen(order);
    await requireFree(tx, order, paymentId);
    if (paymentId !== null) followPayment((await findPayment(tx, paymentId)).status, 'process');
    const amount = { amount: order.amount, currency: order.currency };
    const kind = paymentId === null ? 'dismiss' : 'claim';
    return keep(tx, { kind, orderId: order.id, paymentId, amount, reason }, requestedBy);
  },
});

/** Releases the worker's payouts: a payment takes over the order, or its amount is booked as owed by the worker. */
export async function endOrder(
  tx: CommandTransaction,
  id: string,
  { orderId, paymentId, reason }: OrderInstructed,
  { learned, heard }: AskedFirst,
): Promise<void> {
  const order = await findUnclaimedOrder(tx, orderId);
  requireOpen(order);
  await requireFree(tx, order, paymentId);
  const status = paymentId === null ? 'dismissed' : 'claimed';
  tx.update(UnclaimedOrderTable, order, { status, updatedAt: tx.now });
  tx.audit(`unclaimed-order.${status}`, orderId, { instruction: id, paymentId, reason });
  if (paymentId === null) return await bookOrder(tx, id, order.idempotencyKey, heard);
  if (!learned) throw unavailable('Contract or business data for this payout');
  await beginPayout(tx, await findPayment(tx, paymentId), learned, order);
}

/** Books what the provider reports at the countersignature; an order that it has not paid is not booked. */
async function bookOrder(
  tx: CommandTransaction,
  id: string,
  reference: string,
  heard: ProviderPayout | null | undefined,
): Promise<void> {
  if (heard === undefined) throw unavailable('The payout provider');
  if (heard?.status === 'submitted') {
    throw new DomainError(
      'INVALID_STATE',
      'The payout provider is still processing the order: wait until it is settled or declined.',
    );
  }
  if (heard?.status !== 'settled') return;
  const paid = Money.stored(heard.amount.amount, heard.amount.currency);
  await postToLedger(tx, 'settlement', receivableEntries(paid), { id, reference });
}

/**
 * A payment takes over the open order of its own work as soon as it begins.
 * @throws DomainError `INVALID_STATE` when two people would end the order in another way, so that this work is paid again;
 * or for a payment that has another open order to take over, which would then stay open
 */
async function requireFree(
  tx: CommandTransaction,
  { id, sourceType, sourceId }: UnclaimedOrder,
  paymentId: string | null,
): Promise<void> {
  const own = await tx.find(PaymentTable, { sourceType, sourceId });
  if (own && own.id !== paymentId && mayTakeOver(own.status)) {
    throw new DomainError('INVALID_STATE', `The order is for the work of the payment ${own.id}, which takes it over.`);
  }
  if (paymentId === null) return;
  const payment = await findPayment(tx, paymentId);
  const ofWork = await tx.all(UnclaimedOrderTable, {
    sourceType: payment.sourceType,
    sourceId: payment.sourceId,
    status: 'open',
  });
  if (ofWork.some((each) => each.id !== id)) {
    throw new DomainError('INVALID_STATE', `The payment ${paymentId} takes over the order for its own work.`);
  }
}

type UnclaimedOrder = TableRow<typeof UnclaimedOrderTable>;

async function findUnclaimedOrder(tx: CommandTransaction, id: string): Promise<UnclaimedOrder> {
  return requireFound(await tx.lock(UnclaimedOrderTable, id), 'The order');
}
