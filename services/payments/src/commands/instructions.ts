import {
  amountProblem,
  canonicalJson,
  DomainError,
  Money,
  requireFound,
  staffOfTeams,
  unavailable,
  enteredText,
  invalid,
} from '@payroll/kernel';
import { type Command, type CommandTransaction, defineCommand } from '@payroll/commands';
import { sql } from '@payroll/store';
import {
  type ClearingInstructed,
  decideInstruction,
  type FundingInstructed,
  type Instructed,
  type InstructionEdge,
  type OutcomeInstructed,
  type PaymentInstructed,
  personOfFinance,
} from '../domain/instruction.js';
import { clearingEntries, type DifferenceAccount, fundingEntries } from '../domain/ledger.js';
import { followPayment } from '../domain/payment.js';
import { type AskedFirst, isSameMoney, type ProviderPayout, requireAgreement, requireAlarm } from '../domain/payout.js';
import { enteredAmount, enteredTransactionId } from '../domain/values.js';
import { ContractWorkerTable, InstructionTable, PayeeTable } from '../store/tables.js';
import { toInstruction, type Instruction } from '../store/views.js';
import { beginPayout } from './begin-payout.js';
import { enteredReason, keep } from './keep-instruction.js';
import { findPayment, movePayment, type PaymentRow } from './payment.js';
import { postToLedger, requireBalance } from './post-to-ledger.js';
import { endOrder } from './unclaimed-order.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { findAttempt, findNewestAttempt, finishAttempt } from './record-payout-answer.js';

interface Transfer {
  /** Decimal string above zero. */
  amount: string;
  currency: string;
  /** The sender's reference of the transfer. */
  reference: string;
  /** The receiving bank's id of the transfer. */
  bankTransactionId: string;
}

const MAX_REFERENCE_LENGTH = 140;

/** Requests to book money that a person saw arrive for the business. */
export const requestFunding = defineCommand('funding.request', {
  who: staffOfTeams('finance'),
  decide: async (tx, input: Transfer) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const amount = enteredAmount(input.amount, input.currency).toJSON();
    const reference = enteredText('reference', input.reference, MAX_REFERENCE_LENGTH);
    const bankTransactionId = enteredTransactionId(input.bankTransactionId);
    await requireUnbooked(tx, bankTransactionId);
    const [open] = await tx.read(sql`select id from instruction where workspace_id = ${tx.workspaceId}
      and status = 'requested' and expires_at > ${tx.now} and bank_transaction_id = ${bankTransactionId}`);
    if (open) {
      throw invalid(
        'bankTransactionId',
        'taken',
        'This bank transaction has already been requested: countersign or decline that request.',
      );
    }
    return keep(tx, { kind: 'funding', amount, reference, bankTransactionId }, requestedBy);
  },
});

export type RequestPayout = Pick<PaymentInstructed, 'kind' | 'paymentId'>;

/**
 * Requests to pay a payment by hand or to retry it. Checks the payment's state now, and again when the request is
 * decided.
 */
export const requestPayout = defineCommand('payout.request', {
  who: staffOfTeams('finance'),
  decide: async (tx, { kind, paymentId }: RequestPayout) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const payment = await findPayment(tx, paymentId);
    followPayment(payment.status, kind === 'payout' ? 'process' : 'retry');
    return keep(tx, await instructedPayment(tx, kind, payment), requestedBy);
  },
});

type OutcomeOfPayout = { paymentId: string; wasPaid: boolean; reason: string };

/** Requests to record what the provider told a person about a payout under an alarm. */
export const requestOutcome = defineCommand('payout.request-outcome', {
  who: staffOfTeams('finance'),
  decide: async (tx, { paymentId, wasPaid, reason: text }: OutcomeOfPayout) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const reason = enteredReason(text);
    const { id } = await findPayment(tx, paymentId);
    const attempt = requireAlarm(await findNewestAttempt(tx, id));
    const kind = wasPaid ? 'was_paid' : 'never_paid';
    // A submitted order may be settled or declined before the countersignature, so only final answers are compared
    // here.
    if (attempt.heard && attempt.heard.status !== 'submitted') requireAgreement(kind, attempt.heard);
    const amount = attempt.heard?.amount ?? { amount: attempt.amount, currency: attempt.currency };
    return keep(tx, { kind, paymentId: id, attempt: attempt.number, amount, reason }, requestedBy);
  },
});

interface Clearing {
  account: DifferenceAccount;
  /** Decimal string above zero. */
  amount: string;
  currency: string;
  reason: string;
}

/**
 * Records that the business and its workers have settled between themselves what a payout of another amount left
 * open.
 */
export const requestClearing = defineCommand('clearing.request', {
  who: staffOfTeams('finance'),
  decide: async (tx, { account, reason: text, ...given }: Clearing) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const amount = enteredAmount(given.amount, given.currency);
    const reason = enteredReason(text);
    await requireBalance(tx, clearingEntries(account, amount));
    return keep(tx, { kind: 'clearing', account, amount: amount.toJSON(), reason }, requestedBy);
  },
});

export type DecideInstruction = { id: string; edge: InstructionEdge };

/**
 * A countersigned instruction is carried out in the same transaction. `asked` is not part of the input: a repeated request
 * asks again.
 */
export function decideWith(asked: AskedFirst): Command<DecideInstruction, Instruction> {
  return defineCommand('instruction.decide', {
    who: staffOfTeams('finance'),
    decide: async (tx, { id, edge }: DecideInstruction) => {
      const person = personOfFinance(tx.origin.actor);
      const instruction = requireFound(await tx.lock(InstructionTable, id), 'The instruction');
      const status = decideInstruction(instruction, edge, person, tx.now);
      const { bankTransactionId } = instruction;
      if (status === 'countersigned' && bankTransactionId !== null) await requireUnbooked(tx, bankTransactionId);
      const decided = tx.update(InstructionTable, instruction, { status, decidedBy: person, updatedAt: tx.now });
      const { requestedBy, instructed } = decided;
      tx.audit(`instruction.${status}`, id, { requestedBy, decidedBy: person });
      if (edge === 'countersign') await carryOut(tx, id, instructed, asked);
      return toInstruction(decided);
    },
  });
}

async function carryOut(tx: CommandTransaction, id: string, instructed: Instructed, asked: AskedFirst) {
  const { learned, heard } = asked;
  switch (instructed.kind) {
    case 'funding':
      return await fund(tx, id, instructed);
    case 'payout':
      if (!learned) throw unavailable('Contract or business data for this payout');
      return await beginPayout(tx, await findUnchanged(tx, instructed), learned);
    case 'was_paid':
    case 'never_paid':
      return await recordOutcome(tx, id, instructed, heard);
    case 'claim':
    case 'dismiss':
      return await endOrder(tx, id, instructed, asked);
    case 'clearing':
      return await clearDifference(tx, id, instructed);
    case 'retry':
      return movePayment(tx, await findUnchanged(tx, instructed), 'retry', { processedAt: null, failureReason: null });
  }
}

/** The posting has the instruction's id, so that Postgres books an instruction only once. */
async function fund(tx: CommandTransaction, id: string, funding: FundingInstructed): Promise<void> {
  const { amount, reference, bankTransactionId } = funding;
  const problem = amountProblem(amount);
  if (problem) throw new DomainError('INVALID_STATE', `This cannot be booked; decline it. ${problem.message}`);
  const entries = fundingEntries(Money.of(amount.amount, amount.currency));
  await postToLedger(tx, 'funding', entries, { id, reference });
  tx.audit('workspace.funded', id, { amount, reference, bankTransactionId });
}

/** Two people decide only if the provider does not know the order; otherwise its answer counts. */
async function recordOutcome(
  tx: CommandTransaction,
  id: string,
  instructed: OutcomeInstructed,
  heard: ProviderPayout | null | undefined,
): Promise<void> {
  const { kind, paymentId, attempt: number, reason } = instructed;
  const payment = await findPayment(tx, paymentId);
  const attempt = requireAlarm(await findAttempt(tx, paymentId, number));
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

/** The posting has the instruction's id, so that Postgres books an instruction only once. */
async function clearDifference(tx: CommandTransaction, id: string, cleared: ClearingInstructed): Promise<void> {
  const { account, amount, reason } = cleared;
  await postToLedger(tx, 'clearing', clearingEntries(account, Money.of(amount.amount, amount.currency)), { id });
  tx.audit('difference.cleared', id, { account, amount, reason });
}

/**
 * Checked across workspaces, because a transfer belongs to one workspace only.
 * @throws DomainError `VALIDATION_FAILED`
 */
async function requireUnbooked(tx: CommandTransaction, bankTransactionId: string): Promise<void> {
  const [booked] = await tx.read(
    sql`select id from instruction where status = 'countersigned' and bank_transaction_id = ${bankTransactionId}`,
  );
  if (booked) throw invalid('bankTransactionId', 'taken', 'This bank transaction is already booked.');
}

/** The content of an instruction to pay this payment, with the state that the two people approve. */
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

/** Refuses if the amount or the destination is no longer what was requested: the second person saw the request. */
async function findUnchanged(tx: CommandTransaction, instructed: PaymentInstructed): Promise<PaymentRow> {
  const payment = await findPayment(tx, instructed.paymentId);
  const asItIs = await instructedPayment(tx, instructed.kind, payment);
  if (canonicalJson(asItIs) === canonicalJson(instructed)) return payment;
  throw new DomainError(
    'INVALID_STATE',
    'The payment or its payee has changed since this was requested: withdraw or decline this and request it again.',
  );
}
