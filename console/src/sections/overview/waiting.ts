import type { Money, Role } from '@payroll/kernel';
import { MAX_COUNTED } from '@payroll/pages';
import { graphql, type ResultOf } from '../../operations.js';
import { EDITORS } from '../../workspace-context.js';
import { totalsOf, type Money as Amount } from '../../words.js';
import { FAILURES } from '../payments/words.js';

const WORK = 'nodes { amount { amount currency } submittedAt }';

/** Up to 100 of each, oldest first; 100 are shown as "99+". */
export const countWork = graphql(`
  query waitingWork {
    timesheets: reviewQueue(kind: timesheet, limit: 100) { ${WORK} }
    milestones: reviewQueue(kind: milestone, limit: 100) { ${WORK} }
  }`);

const IDS = 'nodes { id }';

/** Each side signs for itself, and one that has signed waits for the other. */
export const countContracts = graphql(`
  query contractsThatWait {
    drafts: contracts(status: draft, limit: 100) { ${IDS} }
    toVerify: contracts(status: pending_verification, limit: 100) { ${IDS} }
    toSend: contracts(status: ready_for_signature, limit: 100) { ${IDS} }
    toSign: contracts(status: pending_signature, limit: 100) { nodes { id details { businessSignedAt } agreement { changesAsked } } }
    toActivate: contracts(status: signed, limit: 100) { ${IDS} }
    active: contracts(status: active, limit: 1) { ${IDS} }
    workers(limit: 1) { ${IDS} }
  }`);

/** Apart from the money: workspaces answers, not payments. */
export const readVerification = graphql('query businessVerification { business { kybStatus } }');

const PAID = 'nodes { netAmount { amount currency } createdAt failureReason autoPayEnabled }';

/** Payments, newest first. */
export const readMoney = graphql(`
  query moneyThatMatters($today: CalendarDate!) {
    due: payments(status: pending, scheduledTo: $today, limit: 100) { ${PAID} }
    failed: payments(status: failed, limit: 100) { ${PAID} }
    processing: payments(status: processing, limit: 100) { ${PAID} }
    any: payments(limit: 1) { ${IDS} }
    balances { available { amount currency } }
    upcoming {
      weeks { week amount { amount currency } payments }
      shortfalls { day missing { amount currency } }
    }
  }`);

export type MoneyRead = ResultOf<typeof readMoney>;

/** A group of items that need attention, and who can act on them. */
export interface Pile {
  label: string;
  /** Below the workspace. */
  path: string;
  n: number;
  /** The total in each currency; empty for things without an amount. */
  sums: readonly Money[];
  /** When the oldest began to wait. */
  since: string | null;
  /** Empty if no action is needed. */
  needs: readonly Role[];
  /** The distinct reasons for which they failed. */
  reasons?: readonly string[];
}

const ADMINS: readonly Role[] = ['admin'];
const OF_AMOUNTS = { sums: [], since: null };

type Listed<Row> = { nodes: readonly Row[] };

export function pilesOfWork({ timesheets, milestones }: ResultOf<typeof countWork>): Pile[] {
  const pile = (label: string, kind: string, { nodes }: Listed<{ amount: Amount; submittedAt: string }>): Pile => {
    return {
      label,
      path: `review?kind=${kind}`,
      n: nodes.length,
      needs: ADMINS,
      sums: totalsOf(nodes.map(({ amount }) => amount)),
      since: nodes[0]?.submittedAt ?? null,
    };
  };
  return [pile('Timesheets to review', 'timesheet', timesheets), pile('Milestones to review', 'milestone', milestones)];
}

export function pilesOfContracts(found: ResultOf<typeof countContracts>): Pile[] {
  const pile = (label: string, status: string, { nodes }: Listed<unknown>, needs: readonly Role[] = ADMINS): Pile => {
    return { label, path: `contracts?status=${status}`, n: nodes.length, needs, ...OF_AMOUNTS };
  };
  const disputed = found.toSign.nodes.filter(({ agreement }) => agreement.changesAsked !== null);
  const requests = pile('Contracts whose worker asks for changes', 'pending_signature', { nodes: disputed }, EDITORS);
  const unsigned = (label: string, isSigned: boolean, needs?: readonly Role[]): Pile => {
    const nodes = found.toSign.nodes.filter(
      ({ details, agreement }) => agreement.changesAsked === null && (details.businessSignedAt !== null) === isSigned,
    );
    return pile(label, 'pending_signature', { nodes }, needs);
  };
  // Beyond those that are counted it is not known which side has signed, or wants changes.
  const isMore = found.toSign.nodes.length >= MAX_COUNTED;
  return [
    pile('Drafts to complete', 'draft', found.drafts, EDITORS),
    pile('Contracts to verify', 'pending_verification', found.toVerify),
    pile('Contracts to send for signature', 'ready_for_signature', found.toSend),
    ...(isMore
      ? [pile('Contracts that lack a signature', 'pending_signature', found.toSign)]
      : [
          disputed.length === 1 ? { ...requests, path: `contracts/${disputed[0]!.id}` } : requests,
          unsigned('Contracts to sign', false),
          unsigned('Contracts for the worker to sign', true, []),
        ]),
    pile('Contracts to activate', 'signed', found.toActivate),
  ];
}

export function pilesOfPayments(
  { due, failed, processing }: Pick<MoneyRead, 'due' | 'failed' | 'processing'>,
  today: string,
): Pile[] {
  const pile = (label: string, status: string, { nodes }: MoneyRead['failed'], needs: readonly Role[]): Pile => {
    const since = nodes.length < MAX_COUNTED ? (nodes.at(-1)?.createdAt ?? null) : null;
    const sums = totalsOf(nodes.map(({ netAmount }) => netAmount));
    return { label, path: `payments?status=${status}`, n: nodes.length, sums, since, needs };
  };
  return [
    { ...pile('Payments that failed', 'failed', failed, ADMINS), reasons: reasonsOf(failed) },
    {
      ...pile('Payments to start', 'pending', { nodes: due.nodes.filter((each) => !each.autoPayEnabled) }, ADMINS),
      path: `payments?status=pending&scheduledTo=${today}`,
    },
    pile('Payments on their way', 'processing', processing, []),
  ];
}

function reasonsOf({ nodes }: MoneyRead['failed']): string[] {
  return [
    ...new Set(nodes.flatMap(({ failureReason }) => (failureReason === null ? [] : FAILURES[failureReason].short))),
  ];
}
