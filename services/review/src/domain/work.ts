import { hash } from 'node:crypto';
import {
  amountProblem,
  derivedId,
  DomainError,
  enteredText,
  invalid,
  type Money,
  type PaymentSource,
} from '@payroll/kernel';

/** Opaque token for everything a reviewer sees of a piece of work; it can only be compared for equality. */
export function versionOf(id: string, revision: number): string {
  return opaque(`${id}/${revision}`);
}

export const opaque = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/**
 * The id of the payment that the approval creates. Derived from the work, so that an approval repeated after a
 * restore names the same payment.
 */
export function paymentIdOf(kind: PaymentSource, id: string): string {
  return derivedId('payment', kind, id);
}

/** A reviewer's decision, with the version that the reviewer saw. */
export type Reviewed = { id: string; expectedVersion: string };
export type Rejected = Reviewed & { reason: string };

/** @throws DomainError `STALE_RESOURCE_VERSION` when the work has changed since it was reviewed. */
export function requireVersion(work: { id: string; revision: number }, expected: string): void {
  if (versionOf(work.id, work.revision) !== expected) {
    throw new DomainError(
      'STALE_RESOURCE_VERSION',
      'This has changed since you reviewed it. Fetch and review it again.',
    );
  }
}

/** @throws DomainError `VALIDATION_FAILED` unless 1–2000 characters are left after trimming (public-api.md §8). */
export const readReason = (text: string): string => enteredText('reason', text, 2_000);

/**
 * Checked at approval too, since older rows may hold unpayable amounts.
 * @throws DomainError `VALIDATION_FAILED` if no bank can pay the amount.
 */
export function requirePayable(path: 'amount' | 'total', money: Pick<Money, 'amount' | 'currency'>): void {
  const problem = amountProblem(money);
  if (problem) throw invalid(path, problem.code, `This cannot be paid. ${problem.message}`);
}
