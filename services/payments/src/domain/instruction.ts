import { DomainError, follow, type Actor, type Instant, type StateMachine } from '@payroll/kernel';
import type { MoneyValue } from './values.js';

/** funding: money arrived · payout: pays a pending payment now · retry: a failed payment is pending again. */
export const INSTRUCTION_KINDS = ['funding', 'payout', 'retry'] as const;
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

/** What is written of an instruction. That it is expired is not: its time is over, and nobody decided. */
export const WRITTEN_STATUSES = ['requested', 'countersigned', 'declined', 'withdrawn'] as const;
export type WrittenStatus = (typeof WRITTEN_STATUSES)[number];

export const INSTRUCTION_STATUSES = [...WRITTEN_STATUSES, 'expired'] as const;
export type InstructionStatus = (typeof INSTRUCTION_STATUSES)[number];

export type InstructionEdge = 'countersign' | 'decline' | 'withdraw';

/** What the second person puts their name to, frozen when the first one asked for it. */
export type Instructed = FundingInstructed | PaymentInstructed;

export interface FundingInstructed {
  kind: 'funding';
  amount: MoneyValue;
  /** How the sender named the transfer. */
  reference: string;
}

export interface PaymentInstructed {
  kind: 'payout' | 'retry';
  paymentId: string;
  /** The payment's net. */
  amount: MoneyValue;
  /** Where it would go, and since when; null while the worker has no payee. */
  payee: { id: string; updatedAt: Instant } | null;
}

/** An order to move money, as its readers see it: nothing moves before a second person has countersigned it. */
export interface Instruction {
  id: string;
  kind: InstructionKind;
  status: InstructionStatus;
  amount: MoneyValue;
  paymentId: string | null;
  payeeId: string | null;
  /** Of a funding: how the sender named the transfer. */
  reference: string | null;
  /** Persons, by their e-mail addresses. */
  requestedBy: string;
  decidedBy: string | null;
  requestedAt: Instant;
  decidedAt: Instant | null;
  expiresAt: Instant;
}

/** Over a weekend and a holiday; what was true then need not be true any longer. */
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

/**
 * What becomes of an instruction when a person decides it.
 * @throws DomainError `INVALID_STATE` once it is decided or expired; `INSUFFICIENT_SCOPE` where it takes somebody else.
 */
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
  const isOwn = instruction.requestedBy === person;
  if (isOwn && edge !== 'withdraw') {
    throw new DomainError('INSUFFICIENT_SCOPE', 'You requested this yourself: it takes a second person to decide it.');
  }
  if (!isOwn && edge === 'withdraw') {
    throw new DomainError('INSUFFICIENT_SCOPE', 'Only who requested it can withdraw it; you can decline it.');
  }
  return next;
}

/** @throws DomainError `INSUFFICIENT_SCOPE` unless it is a person of finance: money is moved by people who have a name. */
export function personOfFinance(actor: Actor): string {
  if (actor.kind === 'staff' && actor.team === 'finance') return actor.person;
  throw new DomainError('INSUFFICIENT_SCOPE', 'Money is moved by two people of the team finance.');
}
