import {
  amountProblem,
  DomainError,
  Money,
  msBetween,
  unavailable,
  type FailureReason,
  type Instant,
  type PaymentMethod,
  type PaymentSource,
} from '@payroll/kernel';
import type { MoneyValue } from './values.js';
import type { VerificationStatus } from './payee.js';

/** prepared: committed here, perhaps known to the provider · submitted: it has it · settled and declined: final. */
export const ATTEMPT_STATUSES = ['prepared', 'submitted', 'settled', 'declined'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

export interface PayoutTerms {
  amount: MoneyValue;
  payoutMethod: PaymentMethod;
  destination: string;
}

/** An order as the provider knows it. `submitted` is followed by another status, `settled` and `declined` are final. */
export interface KnownPayout extends PayoutTerms {
  status: 'submitted' | 'settled' | 'declined';
  /** The provider's own name for the payout. */
  reference: string;
}

/** Paid at most once. It follows from the work, as the payment's id does: a restore changes neither. */
export function idempotencyKey(source: { type: PaymentSource; id: string }, attempt: number): string {
  return `${source.type}:${source.id}:${attempt}`;
}

/**
 * Why an attempt waits for a person. not_found: the provider had it and no longer knows it · differs: the provider knows
 * its key with another amount or destination, ordered before a restore.
 */
export const PAYOUT_ALARMS = ['not_found', 'differs'] as const;
export type PayoutAlarm = (typeof PAYOUT_ALARMS)[number];

type OpenPayout = PayoutTerms & {
  status: AttemptStatus;
  alarm: PayoutAlarm | null;
  /** What the provider said of it last. */
  heard: KnownPayout | null;
};

/** Once the provider has acknowledged an order, or raised an alarm, "not found" is no reason to order it again. */
export function mayBeOrdered({ status, alarm }: Pick<OpenPayout, 'status' | 'alarm'>): boolean {
  return status === 'prepared' && alarm === null;
}

/** The alarm that a provider's answer raises (`known` is null for "not found"); null when it can be recorded. */
export function alarmOf(
  attempt: PayoutTerms & Pick<OpenPayout, 'alarm'>,
  known: KnownPayout | null,
): PayoutAlarm | null {
  if (known === null) return attempt.alarm ?? 'not_found';
  return haveSameTerms(attempt, known) ? null : 'differs';
}

export function isNews(attempt: OpenPayout, known: KnownPayout | null): boolean {
  const alarm = alarmOf(attempt, known);
  if (alarm !== attempt.alarm || known === null) return alarm !== attempt.alarm;
  if (alarm === null) return known.status !== attempt.status;
  return attempt.heard?.status !== known.status || !haveSameTerms(attempt.heard, known);
}

export function isUnderAlarm({ status, alarm }: { status: AttemptStatus; alarm: PayoutAlarm | null }): boolean {
  return (status === 'prepared' || status === 'submitted') && alarm !== null;
}

/** @throws DomainError `INVALID_STATE` unless it waits under an alarm: of any other, only the provider's answer decides. */
export function requireAlarm(attempt: { status: AttemptStatus; alarm: PayoutAlarm | null }): void {
  if (isUnderAlarm(attempt)) return;
  throw new DomainError('INVALID_STATE', 'No payout of this payment waits under an alarm.');
}

/**
 * @param heard what the provider says when the second person decides; null when it knows no such order
 * @throws DomainError `INVALID_STATE` when that contradicts what two people would record
 */
export function requireAgreement(outcome: 'was_paid' | 'never_paid', heard: KnownPayout | null): void {
  const agrees = outcome === 'never_paid' ? heard?.status === 'declined' : heard === null || heard.status === 'settled';
  if (agrees) return;
  const said = heard === null ? 'does not know the order' : `says that the order is ${heard.status}`;
  throw new DomainError('INVALID_STATE', `The payout provider ${said}: decline or withdraw this.`);
}

export function isSameMoney(one: MoneyValue, other: MoneyValue): boolean {
  if (one.currency !== other.currency) return false;
  return Money.stored(one.amount, one.currency).compare(Money.stored(other.amount, other.currency)) === 0;
}

function haveSameTerms(one: PayoutTerms, other: PayoutTerms): boolean {
  return (
    isSameMoney(one.amount, other.amount) &&
    one.payoutMethod === other.payoutMethod &&
    one.destination === other.destination
  );
}

/**
 * Proof that the owners of what decides over a payout were asked: no payout begins without it (ADR 16). The revisions
 * say how new the rows here must be to decide by them.
 */
export interface Learned {
  /** By Postgres' clock, before the owners were asked. */
  askedAt: Instant;
  contractRevision: number;
  businessRevision: number;
}

/** Answers collected before a countersignature; without them it is refused. */
export interface AskedFirst {
  /** Of a payout: what its owners say. */
  learned?: Learned | null;
  /** Of the outcome of a payout: what the provider says now, null when it knows no such order. */
  heard?: KnownPayout | null;
}

/** Longer than the owners are waited for (2 s). A process that was suspended in between has to ask again. */
const FRESH_MS = 10_000;

/** @throws DomainError `SERVICE_UNAVAILABLE` when the rows are older than what was learned, or it was learned too long ago. */
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

/** Whether a payment can be paid out now: the amount is checked first, then the people, then the funds. */
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
