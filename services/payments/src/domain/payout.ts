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

/**
 * prepared: committed here, perhaps known to the provider · submitted: acknowledged by it · settled and declined:
 * final.
 */
export const ATTEMPT_STATUSES = ['prepared', 'submitted', 'settled', 'declined'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

export interface PayoutTerms {
  amount: MoneyValue;
  payoutMethod: PaymentMethod;
  destination: string;
}

/**
 * An order as the provider knows it. `submitted` is followed by another status; `settled` and `declined` are final.
 */
export interface ProviderPayout extends PayoutTerms {
  status: 'submitted' | 'settled' | 'declined';
  /** The provider's id of the payout. */
  reference: string;
}

/**
 * A key is paid at most once. It is derived from the work, like the payment's id, so that a restore changes neither.
 * @param used keys that the provider has already received for this work: it would return their orders and pay nothing
 */
export function idempotencyKey(
  work: { type: PaymentSource; id: string },
  attempt: number,
  used: ReadonlySet<string> = new Set(),
): string {
  const key = `${work.type}:${work.id}:${attempt}`;
  return used.has(key) ? idempotencyKey(work, attempt + 1, used) : key;
}

/**
 * Why an attempt waits for a person. not_found: the provider acknowledged the order and no longer knows it · differs:
 * the provider knows its key with another amount or destination, ordered before a restore.
 */
export const PAYOUT_ALARMS = ['not_found', 'differs'] as const;
export type PayoutAlarm = (typeof PAYOUT_ALARMS)[number];

type OpenPayout = PayoutTerms & {
  status: AttemptStatus;
  alarm: PayoutAlarm | null;
  /** The provider's last answer. */
  heard: ProviderPayout | null;
};

/**
 * Once the provider has acknowledged an order, or an alarm was raised, "not found" is no reason to submit it again.
 */
export function canBeSubmitted({ status, alarm }: Pick<OpenPayout, 'status' | 'alarm'>): boolean {
  return status === 'prepared' && alarm === null;
}

/** The alarm for a provider's answer (`known` is null for "not found"); null if the answer can be recorded. */
export function alarmOf(
  attempt: PayoutTerms & Pick<OpenPayout, 'alarm'>,
  known: ProviderPayout | null,
): PayoutAlarm | null {
  if (known === null) return attempt.alarm ?? 'not_found';
  return haveSameTerms(attempt, known) ? null : 'differs';
}

export function changesAttempt(attempt: OpenPayout, known: ProviderPayout | null): boolean {
  const alarm = alarmOf(attempt, known);
  if (alarm !== attempt.alarm || known === null) return alarm !== attempt.alarm;
  if (alarm === null) return known.status !== attempt.status;
  return attempt.heard?.status !== known.status || !haveSameTerms(attempt.heard, known);
}

export function isUnderAlarm({ status, alarm }: Pick<OpenPayout, 'status' | 'alarm'>): boolean {
  return (status === 'prepared' || status === 'submitted') && alarm !== null;
}

/**
 * @throws DomainError `INVALID_STATE` unless it is open and has an alarm: otherwise only the provider's answer
 * decides.
 */
export function requireAlarm<Attempt extends Pick<OpenPayout, 'status' | 'alarm'>>(
  attempt: Attempt | undefined,
): Attempt {
  if (attempt && isUnderAlarm(attempt)) return attempt;
  throw new DomainError('INVALID_STATE', 'No payout of this payment has an alarm.');
}

/**
 * @param heard the provider's answer at the countersignature; null if it does not know the order
 * @throws DomainError `INVALID_STATE` when that contradicts the requested outcome
 */
export function requireAgreement(outcome: 'was_paid' | 'never_paid', heard: ProviderPayout | null): void {
  const agrees = outcome === 'never_paid' ? heard?.status === 'declined' : heard === null || heard.status === 'settled';
  if (agrees) return;
  const said = heard === null ? 'does not know the order' : `reports the order as ${heard.status}`;
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
 * Proof that contracts and workspaces were asked for the data that decides over a payout: no payout begins without it
 * (ADR 16). The stored rows must be at least as new as these revisions.
 */
export interface PartyFreshness {
  /** By Postgres' clock, before the owners were asked. */
  askedAt: Instant;
  contractRevision: number;
  businessRevision: number;
  /** Days that the workspace's calendar is ahead (see `Calendar`). */
  daysAhead: number;
}

/** Answers collected before a countersignature; without them it is refused. */
export interface AskedFirst {
  /** For a payout: the owners' answers. */
  learned?: PartyFreshness | null;
  /** For the outcome of a payout: the provider's current answer, null if it does not know the order. */
  heard?: ProviderPayout | null;
}

/** Longer than the timeout of the owners' answers (2 s). A process that was suspended since then has to ask again. */
const FRESH_MS = 10_000;

/**
 * @throws DomainError `SERVICE_UNAVAILABLE` if the rows are older than the owners' answers, or the answers are too
 * old.
 */
export function requireFresh(
  learned: PartyFreshness,
  kept: { contract: { revision: number } | null; business: { revision: number } | null },
  now: Instant,
): void {
  const isRecent = msBetween(learned.askedAt, now) <= FRESH_MS;
  const isNew = (row: { revision: number } | null, wanted: number): boolean => row !== null && row.revision >= wanted;
  const { contract, business } = kept;
  if (isRecent && isNew(contract, learned.contractRevision) && isNew(business, learned.businessRevision)) return;
  throw unavailable('Contract or business data for this payout');
}

export interface PayoutSituation<Payee> {
  /** By the calendar of the workspace. */
  now: Instant;
  payee: Payee | null;
  kybStatus: string | null;
  /** The workspace's available balance in the currency of `net`. */
  available: Money;
  gross: Money;
  net: Money;
}

export type PayoutDecision<Payee> =
  | { kind: 'pay'; payee: Payee }
  /** The payee's details have changed lately: it stays pending until then. */
  | { kind: 'wait'; until: Instant }
  /** Deductions took all of it: there is nothing to submit. */
  | { kind: 'nothing_to_pay' }
  | { kind: 'refuse'; reason: FailureReason };

/** Decides whether a payment can be paid out now: checks the amount first, then the parties, then the funds. */
export function decidePayout<Payee extends { verificationStatus: VerificationStatus; heldUntil: Instant | null }>({
  now,
  payee,
  kybStatus,
  available,
  gross,
  net,
}: PayoutSituation<Payee>): PayoutDecision<Payee> {
  if (amountProblem(gross) || amountProblem(net)) return { kind: 'refuse', reason: 'amount_unpayable' };
  if (!net.isPositive()) return { kind: 'nothing_to_pay' };
  if (payee === null) return { kind: 'refuse', reason: 'payee_missing' };
  if (payee.heldUntil !== null && payee.heldUntil > now) return { kind: 'wait', until: payee.heldUntil };
  if (payee.verificationStatus !== 'verified') return { kind: 'refuse', reason: 'payee_unverified' };
  if (kybStatus !== 'verified') return { kind: 'refuse', reason: 'business_unverified' };
  if (available.compare(net) < 0) return { kind: 'refuse', reason: 'insufficient_funds' };
  return { kind: 'pay', payee };
}
