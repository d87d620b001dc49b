import { Operation } from '../../operations.js';
import type { Money } from '../../words.js';

type Nothing = Record<string, never>;

export const countWork = new Operation<{ timesheets: number; milestones: number }, Nothing>(`
  query waitingWork {
    timesheets: reviewQueueCount(kind: timesheet)
    milestones: reviewQueueCount(kind: milestone)
  }`);

/** Ids alone, up to a hundred: what there is more of is said as "99+". */
interface Listed {
  nodes: { id: string }[];
}

type ContractStep = 'drafts' | 'toVerify' | 'toSend' | 'toActivate';

/** Each side signs for itself, and one that has signed waits for the other. */
interface Signing {
  toSign: { nodes: { details: { businessSignedAt: string | null } }[] };
}

export const countContracts = new Operation<Record<ContractStep, Listed> & Signing, Nothing>(`
  query contractsThatWait {
    drafts: contracts(status: draft, limit: 100) { nodes { id } }
    toVerify: contracts(status: pending_verification, limit: 100) { nodes { id } }
    toSend: contracts(status: ready_for_signature, limit: 100) { nodes { id } }
    toSign: contracts(status: pending_signature, limit: 100) { nodes { details { businessSignedAt } } }
    toActivate: contracts(status: signed, limit: 100) { nodes { id } }
  }`);

export const countPayments = new Operation<{ failed: Listed; processing: Listed }, Nothing>(`
  query paymentsThatNeedSomebody {
    failed: payments(status: failed, limit: 100) { nodes { id } }
    processing: payments(status: processing, limit: 100) { nodes { id } }
  }`);

export interface Upcoming {
  weeks: { week: string | null; amount: Money; payments: number }[];
  shortfalls: { day: string; missing: Money }[];
}

export const readDue = new Operation<{ upcoming: Upcoming }, Nothing>(`
  query due {
    upcoming {
      weeks { week amount { amount currency } payments }
      shortfalls { day missing { amount currency } }
    }
  }`);
