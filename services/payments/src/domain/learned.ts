import { msBetween, unavailable, type Instant } from '@payroll/kernel';

/**
 * That the owners of what decides over a payout were asked for it: nobody begins a payout without. Revisions say how new
 * the service's own rows must be to decide by them.
 */
export interface Learned {
  /** By Postgres' clock, before the owners were asked. */
  askedAt: Instant;
  contractRevision: number;
  businessRevision: number;
}

/** Longer than the owners are waited for (2 s). A process that stood still in between has to ask again. */
const FRESH_MS = 10_000;

/** @throws DomainError `SERVICE_UNAVAILABLE` when the rows are older than what was learned, or all of it is old by now. */
export function requireFresh(
  learned: Learned,
  kept: { contractRevision: number | undefined; businessRevision: number | undefined },
  now: Instant,
): void {
  const isRecent = msBetween(learned.askedAt, now) <= FRESH_MS;
  const isNew = (revision: number | undefined, wanted: number): boolean => revision !== undefined && revision >= wanted;
  const { contractRevision: contract, businessRevision: business } = kept;
  if (isRecent && isNew(contract, learned.contractRevision) && isNew(business, learned.businessRevision)) return;
  throw unavailable('What decides over the payment');
}
