import { DomainError, transition, type Actor, type Instant, type StateMachine, isStaff } from '@payroll/kernel';
import type { DifferenceAccount } from './ledger.js';
import type { MoneyValue } from './values.js';

/**
 * funding: money arrived · payout: pays a pending payment now · retry: makes a failed payment pending again ·
 * was_paid, never_paid: the provider's word on a payout under an alarm · claim, dismiss: an unclaimed order has paid
 * a payment here, or no work that is here · clearing: the business and its workers have settled a difference between
 * themselves.
 */
export const INSTRUCTION_KINDS = [
  'funding',
  'payout',
  'retry',
  'was_paid',
  'never_paid',
  'claim',
  'dismiss',
  'clearing',
] as const;
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

/** The stored statuses. `expired` is computed: the time is over and no decision was made. */
export const WRITTEN_STATUSES = ['requested', 'countersigned', 'declined', 'withdrawn'] as const;
type StoredInstructionStatus = (typeof WRITTEN_STATUSES)[number];

export const INSTRUCTION_STATUSES = [...WRITTEN_STATUSES, 'expired'] as const;
export type InstructionStatus = (typeof INSTRUCTION_STATUSES)[number];

export type InstructionEdge = 'countersign' | 'decline' | 'withdraw';

/** The content of an instruction. It does not change between the request and the second person's approval. */
export type Instructed =
  | FundingInstructed
  | PaymentInstructed
  | OutcomeInstructed
  | OrderInstructed
  | ClearingInstructed;

export interface FundingInstructed {
  kind: 'funding';
  amount: MoneyValue;
  /** The sender's reference of the transfer. */
  reference: string;
  bankTransactionId: string;
}

export interface PaymentInstructed {
  kind: 'payout' | 'retry';
  paymentId: string;
  /** The payment's net. */
  amount: MoneyValue;
  /** The payee and its version; null while the worker has no payee. */
  payee: { id: string; updatedAt: Instant } | null;
}

export interface OutcomeInstructed {
  kind: 'was_paid' | 'never_paid';
  paymentId: string;
  /** The number of the attempt under the alarm. The amount is the provider's, if it reports another one. */
  attempt: number;
  amount: MoneyValue;
  /** How the person knows. */
  reason: string;
}

export interface OrderInstructed {
  kind: 'claim' | 'dismiss';
  orderId: string;
  /** The order's amount. */
  amount: MoneyValue;
  /** The payment that the order has paid; null for a dismissal. */
  paymentId: string | null;
  /** How the person knows. */
  reason: string;
}

export interface ClearingInstructed {
  kind: 'clearing';
  account: DifferenceAccount;
  amount: MoneyValue;
  /** How the person knows. */
  reason: string;
}

/** Covers a weekend and a holiday; after that, circumstances may have changed. */
export const EXPIRES_AFTER_DAYS = 4;

const machine: StateMachine<StoredInstructionStatus, InstructionEdge> = {
  requested: { countersign: 'countersigned', decline: 'declined', withdraw: 'withdrawn' },
  countersigned: {},
  declined: {},
  withdrawn: {},
};

export function statusAt(
  { status, expiresAt }: { status: StoredInstructionStatus; expiresAt: Instant },
  now: Instant,
): InstructionStatus {
  return status === 'requested' && expiresAt <= now ? 'expired' : status;
}

/**
 * @throws DomainError `INVALID_STATE` once decided or expired; `INSUFFICIENT_SCOPE` if another person has to decide.
 */
export function decideInstruction(
  instruction: { status: StoredInstructionStatus; expiresAt: Instant; requestedBy: string },
  edge: InstructionEdge,
  person: string,
  now: Instant,
): StoredInstructionStatus {
  if (statusAt(instruction, now) === 'expired') {
    throw new DomainError('INVALID_STATE', `The instruction expired at ${instruction.expiresAt}; request it again.`);
  }
  const next = transition(machine, 'instruction', instruction.status, edge);
  const isOwn = isSamePerson(instruction.requestedBy, person);
  if (isOwn && edge !== 'withdraw') {
    throw new DomainError('INSUFFICIENT_SCOPE', 'You requested this yourself: a second person has to decide it.');
  }
  if (!isOwn && edge === 'withdraw') {
    throw new DomainError(
      'INSUFFICIENT_SCOPE',
      'Only the person who requested it can withdraw it; you can decline it.',
    );
  }
  return next;
}

/**
 * @throws DomainError `INSUFFICIENT_SCOPE` unless the actor is a person of finance: everyone who moves money is known
 * by name.
 */
export function personOfFinance(actor: Actor): string {
  if (isStaff(actor) && actor.team === 'finance') return actor.person;
  throw new DomainError('INSUFFICIENT_SCOPE', 'Only two people of the team finance can move money.');
}

/** A person is identified by email address, whatever token or membership they act with (ADR 18). */
export function isSamePerson(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
