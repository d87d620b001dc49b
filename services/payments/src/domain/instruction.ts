import { DomainError, follow, type Actor, type Instant, type StateMachine, isStaff } from '@payroll/kernel';
import type { DifferenceAccount } from './ledger.js';
import { isSamePerson } from './person.js';
import type { MoneyValue } from './values.js';

/**
 * funding: money arrived · payout: pays a pending payment now · retry: a failed payment is pending again · was_paid,
 * never_paid: what the provider says became of a payout under an alarm · claim, dismiss: an order of the provider that no payment here
 * has made, has paid a payment here after all, or no work that is here · clearing: the business and its workers have settled a
 * difference between themselves.
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

/** The stored statuses. `expired` is computed: the time is over, and nobody decided. */
export const WRITTEN_STATUSES = ['requested', 'countersigned', 'declined', 'withdrawn'] as const;
export type WrittenStatus = (typeof WRITTEN_STATUSES)[number];

export const INSTRUCTION_STATUSES = [...WRITTEN_STATUSES, 'expired'] as const;
export type InstructionStatus = (typeof INSTRUCTION_STATUSES)[number];

export type InstructionEdge = 'countersign' | 'decline' | 'withdraw';

/** What the second person signs off, frozen when the first one requested it. */
export type Instructed =
  | FundingInstructed
  | PaymentInstructed
  | OutcomeInstructed
  | OrderInstructed
  | ClearingInstructed;

export interface FundingInstructed {
  kind: 'funding';
  amount: MoneyValue;
  /** How the sender named the transfer. */
  reference: string;
  bankTransactionId: string;
}

export interface PaymentInstructed {
  kind: 'payout' | 'retry';
  paymentId: string;
  /** The payment's net. */
  amount: MoneyValue;
  /** Where it would go, and since when; null while the worker has no payee. */
  payee: { id: string; updatedAt: Instant } | null;
}

export interface OutcomeInstructed {
  kind: 'was_paid' | 'never_paid';
  paymentId: string;
  /** The number of the attempt that waits, and its amount: what the provider names, where it names another one. */
  attempt: number;
  amount: MoneyValue;
  /** How it is known. */
  reason: string;
}

export interface OrderInstructed {
  kind: 'claim' | 'dismiss';
  orderId: string;
  /** Of the order. */
  amount: MoneyValue;
  /** The payment that it has paid; null for a dismissal. */
  paymentId: string | null;
  /** How it is known. */
  reason: string;
}

export interface ClearingInstructed {
  kind: 'clearing';
  account: DifferenceAccount;
  amount: MoneyValue;
  /** How it is known. */
  reason: string;
}

/** Covers a weekend and a holiday; after that the circumstances may have changed. */
export const EXPIRES_AFTER_DAYS = 4;

const machine: StateMachine<WrittenStatus, InstructionEdge> = {
  requested: { countersign: 'countersigned', decline: 'declined', withdraw: 'withdrawn' },
  countersigned: {},
  declined: {},
  withdrawn: {},
};

export function statusAt(
  { status, expiresAt }: { status: WrittenStatus; expiresAt: Instant },
  now: Instant,
): InstructionStatus {
  return status === 'requested' && expiresAt <= now ? 'expired' : status;
}

/** @throws DomainError `INVALID_STATE` once decided or expired; `INSUFFICIENT_SCOPE` when it takes another person. */
export function decideInstruction(
  instruction: { status: WrittenStatus; expiresAt: Instant; requestedBy: string },
  edge: InstructionEdge,
  person: string,
  now: Instant,
): WrittenStatus {
  if (statusAt(instruction, now) === 'expired') {
    throw new DomainError('INVALID_STATE', `The instruction expired at ${instruction.expiresAt}; request it anew.`);
  }
  const next = follow(machine, 'instruction', instruction.status, edge);
  const isOwn = isSamePerson(instruction.requestedBy, person);
  if (isOwn && edge !== 'withdraw') {
    throw new DomainError('INSUFFICIENT_SCOPE', 'You requested this yourself: it takes a second person to decide it.');
  }
  if (!isOwn && edge === 'withdraw') {
    throw new DomainError('INSUFFICIENT_SCOPE', 'Only who requested it can withdraw it; you can decline it.');
  }
  return next;
}

/** @throws DomainError `INSUFFICIENT_SCOPE` unless it is a person of finance: whoever moves money is known by name. */
export function personOfFinance(actor: Actor): string {
  if (isStaff(actor) && actor.team === 'finance') return actor.person;
  throw new DomainError('INSUFFICIENT_SCOPE', 'Money is moved by two people of the team finance.');
}
