import {
  amountProblem,
  Money,
  msBetween,
  unavailable,
  type FailureReason,
  type Instant,
  type PaymentSource,
} from '@payroll/kernel';
import type { MoneyValue } from './values.js';
import type { PayoutMethod, VerificationStatus } from './payee.js';

/**
 * prepared: committed here, and perhaps known to the provider · submitted: the provider has it · settled and declined:
 * its last word.
 */
export const ATTEMPT_STATUSES = ['prepared', 'submitted', 'settled', 'declined'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** One try to pay a payment out, as its readers see it. */
export interface PayoutAttempt {
  paymentId: string;
  /** From 1; a new one only after the provider has declined the one before. */
  number: number;
  status: AttemptStatus;
  payeeId: string;
  payoutMethod: PayoutMethod;
  amount: MoneyValue;
  providerReference: string | null;
  alarm: PayoutAlarm | null;
  createdAt: Instant;
  updatedAt: Instant;
}

/** What of an order decides who gets how much. */
export interface PayoutTerms {
  amount: MoneyValue;
  payoutMethod: PayoutMethod;
  destination: string;
}

/** An order as the provider knows it, and what became of it. After `submitted` more is to come; the others are its last word. */
export interface KnownPayout extends PayoutTerms {
  status: 'submitted' | 'settled' | 'declined';
  /** The provider's own name for the payout. */
  reference: string;
}

/**
 * The name an attempt is submitted under: the same key is paid at most once, however often it is submitted. It follows from
 * the work, not from the payment: after a restore the same work has another payment, and the provider must know it again.
 */
export function idempotencyKey(source: { type: PaymentSource; id: string }, attempt: number): string {
  return `${source.type}:${source.id}:${attempt}`;
}

/**
 * Why an attempt waits for a person. not_found: the provider had it and does not know it any more · differs: the provider
 * knows its key with another amount or destination, as it was ordered in a history that a restore has ended.
 */
export const PAYOUT_ALARMS = ['not_found', 'differs'] as const;
export type PayoutAlarm = (typeof PAYOUT_ALARMS)[number];

type OpenPayout = PayoutTerms & { status: AttemptStatus; alarm: PayoutAlarm | null };

/** Once the provider has acknowledged an order, or raised an alarm, "not found" is no reason to order it again. */
export function mayBeOrdered({ status, alarm }: OpenPayout): boolean {
  return status === 'prepared' && alarm === null;
}

/** What of a provider's word, null for "not found", a person has to see to; null when it can be recorded as it is. */
export function alarmOf(attempt: OpenPayout, known: KnownPayout | null): PayoutAlarm | null {
  if (known === null) return attempt.alarm ?? 'not_found';
  return haveSameTerms(attempt, known) ? null : 'differs';
}

/** Whether a provider's word changes anything of an attempt that waits for its last one. */
export function isNews(attempt: OpenPayout, known: KnownPayout | null): boolean {
  const alarm = alarmOf(attempt, known);
  return alarm !== attempt.alarm || (alarm === null && known?.status !== attempt.status);
}

function haveSameTerms(one: PayoutTerms, other: PayoutTerms): boolean {
  return (
    one.amount.currency === other.amount.currency &&
    Money.stored(one.amount.amount, one.amount.currency).compare(
      Money.stored(other.amount.amount, other.amount.currency),
    ) === 0 &&
    one.payoutMethod === other.payoutMethod &&
    one.destination === other.destination
  );
}

/**
 * That the services which own what decides over a payout were asked for it: no payout begins without. Revisions say how
 * new this service's own rows must be to decide by them.
 */
export interface Learned {
  /** By Postgres' clock, before the owners were asked. */
  askedAt: Instant;
  contractRevision: number;
  businessRevision: number;
}

/** Longer than the owners are waited for (2 s). A process that stood still in between has to ask again. */
const FRESH_MS = 10_000;

/** @throws DomainError `SERVICE_UNAVAILABLE` when the rows are older than what was learned, or that is too old by now. */
export function requireFresh(
  learned: Learned,
  kept: { contract: { revision: number } | null; business: { revision: number } | null },
  now: Instant,
): void {
  const isRecent = msBetween(learned.askedAt, now) <= FRESH_MS;
  const isNew = (row: { revision: number } | null, wanted: number): boolean => row !== null && row.revision >= wanted;
  const { contract, business } = kept;
  if (isRecent && isNew(contract, learned.contractRevision) && isNew(business, learned.businessRevision)) return;
  throw unavailable('What decides over the payment');
}

export interface PayoutSituation<Payee> {
  payee: Payee | null;
  kybStatus: string | null;
  /** What the workspace can spend in the currency of `net`. */
  available: Money;
  gross: Money;
  net: Money;
}

export type PayoutDecision<Payee> =
  | { kind: 'pay'; payee: Payee }
  /** Deductions took all of it: there is nothing to submit. */
  | { kind: 'nothing_to_pay' }
  | { kind: 'refuse'; reason: FailureReason };

/** Whether a payment can be paid out now. What no bank can pay is never posted; then what concerns the people comes before what concerns the money. */
export function decidePayout<Payee extends { verificationStatus: VerificationStatus }>({
  payee,
  kybStatus,
  available,
  gross,
  net,
}: PayoutSituation<Payee>): PayoutDecision<Payee> {
  if (amountProblem(gross) || amountProblem(net)) return { kind: 'refuse', reason: 'amount_unpayable' };
  if (!net.isPositive()) return { kind: 'nothing_to_pay' };
  if (payee === null) return { kind: 'refuse', reason: 'payee_missing' };
  if (payee.verificationStatus !== 'verified') return { kind: 'refuse', reason: 'payee_unverified' };
  if (kybStatus !== 'verified') return { kind: 'refuse', reason: 'business_unverified' };
  if (available.compare(net) < 0) return { kind: 'refuse', reason: 'insufficient_funds' };
  return { kind: 'pay', payee };
}
