import { type CommandTransaction, defineCommand } from '@payroll/commands';
import { newEvent } from '@payroll/events';
import {
  DomainError,
  type FailureReason,
  INTERNAL_ONLY,
  isId,
  Money,
  newId,
  notFound,
  requireFound,
  type PaymentStatus,
  unavailable,
  enteredText,
} from '@payroll/kernel';
import { currentTraceparent } from '@payroll/runtime';
import { computed, sql, type TableRow } from '@payroll/store';
import { followPayment, netOf, type PaymentEdge } from '../domain/payment.js';
import { ContractWorkerTable, DeductionTable, PayeeTable, PaymentTable } from '../store/tables.js';
import { enteredAmount } from '../domain/values.js';
import { toPayment } from '../store/views.js';
import { mayHavePaid, IS_COMPARED } from '../store/holds.js';

export type PaymentRow = TableRow<typeof PaymentTable>;

/** The payment, locked until commit. */
export async function findPayment(tx: CommandTransaction, id: string): Promise<PaymentRow> {
  return requireFound(await tx.lock(PaymentTable, id), 'The payment');
}

type Changes = Partial<Pick<PaymentRow, 'processedAt' | 'completedAt' | 'failureReason'>>;

/**
 * Follows an edge of the payment's state machine and emits its event with the next sequence.
 * @returns the payment afterwards
 */
export function movePayment(
  tx: CommandTransaction,
  payment: PaymentRow,
  edge: PaymentEdge,
  changes: Changes = {},
): PaymentRow {
  const status = followPayment(payment.status, edge);
  const sequence = payment.sequence + 1;
  const traceparent = currentTraceparent() ?? null;
  const moved = tx.update(PaymentTable, payment, { ...changes, status, sequence, traceparent, updatedAt: tx.now });
  const { id, sourceType, sourceId, net, currency } = moved;
  tx.audit(EVENT_OF[status], id, { sequence, net: { amount: net, currency }, ...changes });
  tx.emit(newEvent(EVENT_OF[status], id, { paymentId: id, sourceType, sourceId, sequence, status }));
  return moved;
}

/** A new payment has no event: review knows about it from the approval. */
const EVENT_OF = {
  pending: 'payment.retried',
  processing: 'payment.processing',
  completed: 'payment.completed',
  failed: 'payment.failed',
  cancelled: 'payment.cancelled',
} as const satisfies Record<PaymentStatus, string>;

/** Failures that the worker can put right. The others are the employer's, whose balance is not for workers to know. */
const THE_WORKERS: ReadonlySet<FailureReason | null> = new Set([
  'payee_missing',
  'payee_unverified',
  'provider_declined',
]);

/** Mails the worker that they were paid, or people that a payment failed. @returns the payment */
export async function tellOutcome(tx: CommandTransaction, payment: PaymentRow): Promise<PaymentRow> {
  const { id: aboutId, contractId, status, failureReason } = payment;
  const workerId = (await tx.find(ContractWorkerTable, { contractId }))?.workerId ?? null;
  const tell = (kind: 'paid' | 'payout_details_needed' | 'payment_failed'): void =>
    tx.emit(newEvent('notice.payment', aboutId, { kind, aboutId, workerId }));
  if (status === 'failed') tell('payment_failed');
  if (workerId === null) return payment;
  if (status === 'completed') tell('paid');
  if (status === 'failed' && THE_WORKERS.has(failureReason)) tell('payout_details_needed');
  return payment;
}

/**
 * Final. Only a pending payment can be cancelled, so no money was reserved for it. Refused for a payment that may
 * have been paid before a restore: it would look like work for which the worker was never paid.
 */
export const cancelPayment = defineCommand('payment.cancel', {
  who: INTERNAL_ONLY,
  decide: async (tx, input: { paymentId: string }) => {
    const payment = await findPayment(tx, input.paymentId);
    followPayment(payment.status, 'cancel');
    const workerId = (await tx.find(ContractWorkerTable, { contractId: payment.contractId }))?.workerId ?? null;
    const payee = workerId === null ? null : await tx.find(PayeeTable, { workerId });
    if (await isHeldByOrder(tx, workerId, payee)) throw new DomainError('INVALID_STATE', HELD);
    return toPayment(movePayment(tx, payment, 'cancel'));
  },
});

export const HELD =
  'The payout provider has an order to this worker that matches no payment here. Finance has to say what it was for.';

type Destination = Pick<TableRow<typeof PayeeTable>, 'destination'>;

/**
 * Whether there is an unclaimed order to this worker: it may have paid for this work, under an id that was lost in a
 * restore.
 * @throws DomainError `SERVICE_UNAVAILABLE` until the provider's orders have been compared (ADR 04)
 */
export async function isHeldByOrder(
  tx: CommandTransaction,
  workerId: string | null,
  to: Destination | null,
): Promise<boolean> {
  const mayBePaid = mayHavePaid(sql`${workerId}::uuid`, sql`${to?.destination ?? null}::text`);
  const held = sql`exists (select from unclaimed_order where workspace_id = ${tx.workspaceId} and ${mayBePaid})`;
  const [found] = await tx.read(
    sql`select ${computed('isCompared', 'boolean', IS_COMPARED)}, ${computed('isHeld', 'boolean', held)}`,
  );
  if (!found!.isCompared) throw unavailable('The comparison with the payout provider');
  return found!.isHeld;
}

/** The amount is a decimal string above zero, in the payment's currency. */
type AddDeduction = { paymentId: string; name: string; amount: string };

const MAX_NAME_LENGTH = 100;

export const addDeduction = defineCommand('deduction.add', {
  who: INTERNAL_ONLY,
  decide: async (tx, input: AddDeduction) => {
    const payment = await findPendingPayment(tx, input.paymentId);
    const name = enteredText('name', input.name, MAX_NAME_LENGTH);
    const amount = enteredAmount(input.amount, payment.currency);
    const net = netOf(Money.stored(payment.net, payment.currency), [amount]).amount;
    const deduction = tx.insert(DeductionTable, { id: newId(), paymentId: payment.id, name, amount: amount.amount });
    tx.audit('deduction.added', payment.id, { deductionId: deduction.id, name, amount, net });
    return toPayment(tx.update(PaymentTable, payment, { net, updatedAt: tx.now }));
  },
});

export const removeDeduction = defineCommand('deduction.remove', {
  who: INTERNAL_ONLY,
  decide: async (tx, { paymentId, deductionId: id }: { paymentId: string; deductionId: string }) => {
    const payment = await findPendingPayment(tx, paymentId);
    const deduction = isId(id) ? await tx.find(DeductionTable, { id, paymentId: payment.id }) : null;
    if (!deduction) throw notFound('The deduction');
    const amount = Money.stored(deduction.amount, payment.currency);
    const net = Money.stored(payment.net, payment.currency).plus(amount).amount;
    tx.remove(DeductionTable, deduction);
    tx.audit('deduction.removed', payment.id, { deductionId: id, name: deduction.name, amount, net });
    return toPayment(tx.update(PaymentTable, payment, { net, updatedAt: tx.now }));
  },
});

/** @throws DomainError `INVALID_STATE` unless the payment is pending. */
async function findPendingPayment(tx: CommandTransaction, id: string): Promise<PaymentRow> {
  const payment = await findPayment(tx, id);
  if (payment.status !== 'pending') {
    throw new DomainError(
      'INVALID_STATE',
      `The payment is ${payment.status}; only a pending payment's deductions can be changed.`,
    );
  }
  return payment;
}
