import {
  amountProblem,
  canonicalJson,
  DomainError,
  instantOf,
  Money,
  newId,
  notFound,
  peopleOf,
  unavailable,
} from '@payroll/kernel';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/commands';
import {
  decideInstruction,
  EXPIRES_AFTER_DAYS,
  personOfFinance,
  type FundingInstructed,
  type Instructed,
  type OrderInstructed,
  type InstructionEdge,
  type OutcomeInstructed,
  type PaymentInstructed,
} from '../domain/instruction.js';
import { fundingEntries, receivableEntries } from '../domain/ledger.js';
import { followPayment } from '../domain/payment.js';
import { isSameMoney, requireAgreement, requireAlarm, type KnownPayout, type Learned } from '../domain/payout.js';
import { requireOpen } from '../domain/unclaimed-order.js';
import { enteredAmount, enteredText } from '../domain/values.js';
import { PayoutAttemptTable, UnclaimedOrderTable } from '../store/money-tables.js';
import { ContractWorkerTable, InstructionTable, PayeeTable } from '../store/tables.js';
import { toInstruction, type Instruction } from '../store/views.js';
import { beginPayout } from './begin-payout.js';
import { findPayment, movePayment, type PaymentRow } from './payment.js';
import { postToLedger } from './post-to-ledger.js';
import { findAttempt, findNewestAttempt, finishAttempt } from './record-payout-answer.js';

interface Transfer {
  /** Decimal string above zero. */
  amount: string;
  currency: string;
  /** How the sender named the transfer. */
  reference: string;
}

export type RequestPayout = Pick<PaymentInstructed, 'kind' | 'paymentId'>;

export type OutcomeOfPayout = { paymentId: string; wasPaid: boolean; reason: string };

export type EndOrder = Pick<OrderInstructed, 'orderId' | 'paymentId' | 'reason'>;

export type DecideInstruction = { id: string; edge: InstructionEdge };

const MAX_REFERENCE_LENGTH = 140;
const MAX_REASON_LENGTH = 1_000;
const DAY_MS = 86_400_000;

/** A person saw money of the business arrive. */
export const requestFunding = defineCommand('funding.request', {
  who: peopleOf('finance'),
  decide: async (tx, input: Transfer) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const amount = enteredAmount(input.amount, input.currency).toJSON();
    const reference = enteredText('reference', input.reference, MAX_REFERENCE_LENGTH);
    return keep(tx, { kind: 'funding', amount, reference }, requestedBy);
  },
});

/** A person wants a payment paid by hand. What its state does not allow is refused now, and again when it is decided. */
export const requestPayout = defineCommand('payout.request', {
  who: peopleOf('finance'),
  decide: async (tx, { kind, paymentId }: RequestPayout) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const payment = await findPayment(tx, paymentId);
    followPayment(payment.status, kind === 'payout' ? 'process' : 'retry');
    return keep(tx, await instructedPayment(tx, kind, payment), requestedBy);
  },
});

/** A person has heard from the provider what became of a payout that waits under an alarm. */
export const requestOutcome = defineCommand('payout.request-outcome', {
  who: peopleOf('finance'),
  decide: async (tx, { paymentId, wasPaid, reason: text }: OutcomeOfPayout) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const reason = enteredText('reason', text, MAX_REASON_LENGTH);
    const { id } = await findPayment(tx, paymentId);
    const attempt = await findNewestAttempt(tx, id);
    if (!attempt) throw new DomainError('INVALID_STATE', 'No payout of this payment waits under an alarm.');
    requireAlarm(attempt);
    const kind = wasPaid ? 'was_paid' : 'never_paid';
    // What is under way at the provider may be over until this is countersigned.
    if (attempt.heard && attempt.heard.status !== 'submitted') requireAgreement(kind, attempt.heard);
    const amount = attempt.heard?.amount ?? { amount: attempt.amount, currency: attempt.currency };
    return keep(tx, { kind, paymentId: id, attempt: attempt.number, amount, reason }, requestedBy);
  },
});

/** A person knows what an order was for that the provider has, and that no payment here has made. */
export const requestOrderEnd = defineCommand('unclaimed-order.request-end', {
  who: peopleOf('finance'),
  decide: async (tx, { orderId, paymentId, reason: text }: EndOrder) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const reason = enteredText('reason', text, MAX_REASON_LENGTH);
    const order = await findUnclaimedOrder(tx, orderId);
    requireOpen(order);
    if (paymentId !== null) followPayment((await findPayment(tx, paymentId)).status, 'process');
    const amount = { amount: order.amount, currency: order.currency };
    const kind = paymentId === null ? 'dismiss' : 'claim';
    return keep(tx, { kind, orderId: order.id, paymentId, amount, reason }, requestedBy);
  },
});

/** What was asked before a countersignature is carried out, which is refused without it. */
export interface AskedFirst {
  /** Of a payout: what its owners say. */
  learned?: Learned | null;
  /** Of the outcome of a payout: what the provider says now, null when it knows no such order. */
  heard?: KnownPayout | null;
}

/** Countersigned, it is carried out in the same transaction. What was asked is no input: a repeated request asks anew. */
export function decideWith(asked: AskedFirst): Command<DecideInstruction, Instruction> {
  return defineCommand('instruction.decide', {
    who: peopleOf('finance'),
    decide: async (tx, { id, edge }: DecideInstruction) => {
      const person = personOfFinance(tx.origin.actor);
      const instruction = await tx.lock(InstructionTable, id);
      if (!instruction) throw notFound('The instruction');
      const status = decideInstruction(instruction, edge, person, tx.now);
      const decided = tx.update(InstructionTable, instruction, { status, decidedBy: person, updatedAt: tx.now });
      const { requestedBy, instructed } = decided;
      tx.audit(`instruction.${status}`, id, { requestedBy, decidedBy: person });
      if (edge === 'countersign') await carryOut(tx, id, instructed, asked);
      return toInstruction(decided);
    },
  });
}

function keep(tx: CommandTransaction, instructed: Instructed, requestedBy: string): Instruction {
  const { workspaceId, now } = tx;
  const instruction = tx.insert(InstructionTable, {
    workspaceId,
    id: newId(),
    kind: instructed.kind,
    instructed,
    status: 'requested',
    requestedBy,
    decidedBy: null,
    expiresAt: instantOf(new Date(Date.parse(now) + EXPIRES_AFTER_DAYS * DAY_MS)),
    createdAt: now,
    updatedAt: now,
  });
  tx.audit('instruction.requested', instruction.id, { ...instructed, requestedBy });
  return toInstruction(instruction);
}

/** What a person signs off when they pay this payment as it is now. */
async function instructedPayment(
  tx: CommandTransaction,
  kind: PaymentInstructed['kind'],
  { id: paymentId, contractId, net, currency }: PaymentRow,
): Promise<PaymentInstructed> {
  const workerId = (await tx.find(ContractWorkerTable, { contractId }))?.workerId;
  const payee = workerId ? await tx.find(PayeeTable, { workerId }) : null;
  const destination = payee && { id: payee.id, updatedAt: payee.updatedAt };
  return { kind, paymentId, amount: { amount: net, currency }, payee: destination };
}

async function carryOut(tx: CommandTransaction, id: string, instructed: Instructed, asked: AskedFirst) {
  const { learned, heard } = asked;
  switch (instructed.kind) {
    case 'funding':
      return await fund(tx, id, instructed);
    case 'payout':
      if (!learned) throw unavailable('What decides over the payment');
      return await beginPayout(tx, await findUnchanged(tx, instructed), learned);
    case 'was_paid':
    case 'never_paid':
      return await recordOutcome(tx, id, instructed, heard);
    case 'claim':
    case 'dismiss':
      return await endOrder(tx, id, instructed, asked);
    case 'retry':
      return movePayment(tx, await findUnchanged(tx, instructed), 'retry', { processedAt: null, failureReason: null });
  }
}

/** Two people vouch only for what the provider cannot say: where it knows the order, its word decides. */
async function recordOutcome(
  tx: CommandTransaction,
  id: string,
  instructed: OutcomeInstructed,
  heard: KnownPayout | null | undefined,
): Promise<void> {
  const { kind, paymentId, attempt: number, reason } = instructed;
  const payment = await findPayment(tx, paymentId);
  const attempt = await findAttempt(tx, paymentId, number);
  requireAlarm(attempt);
  if (heard === undefined) throw unavailable('The payout provider');
  requireAgreement(kind, heard);
  if (kind === 'was_paid' && heard && !isSameMoney(heard.amount, instructed.amount)) {
    throw new DomainError('INVALID_STATE', 'The payout provider now names another amount: request this anew.');
  }
  const status = kind === 'was_paid' ? 'settled' : 'declined';
  const { amount } = instructed;
  tx.audit(`payout.${status}`, paymentId, { attempt: number, instruction: id, alarm: attempt.alarm, amount, reason });
  const noted = heard ? tx.update(PayoutAttemptTable, attempt, { heard }) : attempt;
  await finishAttempt(tx, payment, noted, status, Money.stored(amount.amount, amount.currency));
}

/** What holds a worker's payouts is over: a payment takes the order over, or what it paid is booked as owed by the worker. */
async function endOrder(
  tx: CommandTransaction,
  id: string,
  { orderId, paymentId, reason }: OrderInstructed,
  { learned, heard }: AskedFirst,
): Promise<void> {
  const order = await findUnclaimedOrder(tx, orderId);
  requireOpen(order);
  const status = paymentId === null ? 'dismissed' : 'claimed';
  tx.update(UnclaimedOrderTable, order, { status, updatedAt: tx.now });
  tx.audit(`unclaimed-order.${status}`, orderId, { instruction: id, paymentId, reason });
  if (paymentId === null) return await bookOrder(tx, id, order.idempotencyKey, heard);
  if (!learned) throw unavailable('What decides over the payment');
  await beginPayout(tx, await findPayment(tx, paymentId), learned, order);
}

/** As the provider says when the second person decides: what it has not paid is not booked. */
async function bookOrder(
  tx: CommandTransaction,
  id: string,
  reference: string,
  heard: KnownPayout | null | undefined,
): Promise<void> {
  if (heard === undefined) throw unavailable('The payout provider');
  if (heard?.status === 'submitted') {
    throw new DomainError(
      'INVALID_STATE',
      'The payout provider says that the order is under way: wait until it is over.',
    );
  }
  if (heard?.status !== 'settled') return;
  const paid = Money.stored(heard.amount.amount, heard.amount.currency);
  await postToLedger(tx, 'settlement', receivableEntries(paid), { id, reference });
}

async function findUnclaimedOrder(tx: CommandTransaction, id: string) {
  const order = await tx.lock(UnclaimedOrderTable, id);
  if (!order) throw notFound('The order');
  return order;
}

/** The posting has the instruction's id, so that Postgres books an instruction once whatever else goes wrong. */
async function fund(tx: CommandTransaction, id: string, { amount, reference }: FundingInstructed): Promise<void> {
  const problem = amountProblem(amount);
  if (problem) throw new DomainError('INVALID_STATE', `This cannot be booked; decline it. ${problem.message}`);
  const entries = fundingEntries(Money.of(amount.amount, amount.currency));
  await postToLedger(tx, 'funding', entries, { id, reference });
  tx.audit('workspace.funded', id, { amount, reference });
}

/** The second person saw what was requested: another amount or another destination is another instruction. */
async function findUnchanged(tx: CommandTransaction, instructed: PaymentInstructed): Promise<PaymentRow> {
  const payment = await findPayment(tx, instructed.paymentId);
  const asItIs = await instructedPayment(tx, instructed.kind, payment);
  if (canonicalJson(asItIs) === canonicalJson(instructed)) return payment;
  throw new DomainError(
    'INVALID_STATE',
    'The payment or its payee is no longer what was requested: withdraw or decline this and request it anew.',
  );
}
