import type { Order } from '@payroll/tests/support/provider-orders';
import type { Entry, Read, SeenRow } from '../history.js';
import {
  type Account,
  type Lost,
  type Rules,
  type Try,
  isAcknowledged,
  mayBeLost,
  mayHaveHappened,
  standing,
} from './operations.js';
import type { HeldPayment, Testimony } from './records.js';

export interface Evidence {
  entries: readonly Entry[];
  accounts: readonly Account[];
  lost: readonly Lost[];
  present: Testimony;
  left: readonly Testimony[];
  orders: readonly Order[];
  /** Whether Postgres accepted a second payment for the same work. */
  allowsSecond: boolean;
}

/** Rules about approvals, payments and orders: the product's main promises. */
export const PAYMENT_RULES: Rules<Evidence> = {
  'a piece of work has at most one payment': ({ present, left }) =>
    [present, ...left].flatMap(({ payments }) =>
      more(payments, ({ sourceId }) => sourceId).map((source) => `work ${source} has several payments in one history`),
    ),
  'an acknowledged approval has exactly its payment': ({ accounts, lost, present }) => {
    const work = new Map(present.work.map((each) => [each.id, each]));
    const payments = new Map(present.payments.map((each) => [each.id, each]));
    return accounts.flatMap((account) => {
      const answer = account.does === 'approve' && account.role === 'admin' ? standing(account, lost) : undefined;
      if (answer === undefined) return [];
      const told = paymentIn(answer);
      const holds = work.get(account.about)?.paymentId === told && payments.get(told)?.sourceId === account.about;
      return holds
        ? []
        : [`work ${account.about} was approved with payment ${told}, which is not there (${account.key})`];
    });
  },
  'no payment is made without an approval': ({ accounts, present, left }) => {
    const wanted = new Set(
      accounts.filter((each) => each.does === 'approve' && mayHaveHappened(each)).map(({ about }) => about),
    );
    const isUnwanted = ({ sourceId }: HeldPayment): boolean => !wanted.has(sourceId);
    return [present, ...left].flatMap(({ payments }) =>
      payments.filter(isUnwanted).map(({ id, sourceId }) => `payment ${id} pays ${sourceId}, which nobody approved`),
    );
  },
  'a payment is the one that its work was approved with': ({ present, left }) =>
    [present, ...left].flatMap(({ work, payments }) => {
      const approved = new Map(work.map(({ id, paymentId }) => [id, paymentId]));
      const stray = payments.filter(({ id, sourceId }) => approved.get(sourceId) !== id);
      return stray.map(({ id, sourceId }) => `payment ${id} pays ${sourceId}, which is not approved with it`);
    }),
  'Postgres refuses a second payment': ({ allowsSecond }) => (allowsSecond ? ['a second payment was let in'] : []),
  'the provider pays a piece of work once, over all histories': ({ orders }) =>
    // No two pieces of work have the same amount.
    more(
      orders.filter(({ state }) => state === 'settled'),
      ({ amount, currency }) => `${Number(amount)} ${currency}`,
    ).map((amount) => `${amount} was paid out more than once`),
  'an order that the provider has forgotten waits for a person': ({ entries, orders, lost }) => {
    const again = orders.filter(({ forgotten, submissions }) => forgotten === 1 && submissions > 0);
    const ordered = new Set(again.map(({ amount }) => Number(amount)));
    // If a switch undid that moment, payments may no longer have known of the acknowledgement.
    const known = entries
      .filter((entry) => entry.type === 'forgotten')
      .filter(({ at }) => !mayBeLost({ from: at, at }, lost));
    return known.flatMap(({ amount }) => (ordered.has(Number(amount)) ? [`${amount} was ordered once more`] : []));
  },
  'what was rejected is not paid': ({ accounts, lost, present }) => {
    const paid = new Set(present.payments.map(({ sourceId }) => sourceId));
    const rejected = accounts.filter((each) => each.does === 'reject' && standing(each, lost) !== undefined);
    return rejected.flatMap(({ about }) => (paid.has(about) ? [`work ${about} was rejected and is paid`] : []));
  },
  'a payment that failed says why': ({ present }) =>
    present.payments
      .filter(({ status, failureReason }) => status === 'failed' && failureReason === null)
      .map(({ id }) => `payment ${id} failed without a reason`),
};

/** Acknowledged approvals that a switch has lost: reported, not a violation. */
export function lostApprovals({ accounts, lost, present }: Evidence): string[] {
  const paid = new Set(present.payments.map(({ sourceId }) => sourceId));
  return accounts
    .filter((each) => each.does === 'approve' && isAcknowledged(each) && standing(each, lost) === undefined)
    .filter(({ about }) => !paid.has(about))
    .map(({ about }) => about);
}

function paymentIn(body: string): string {
  // In the graph it has the name of the field.
  return /"paymentId":"([^"]+)"/.exec(body)?.[1] ?? 'none';
}

export function more<Item>(items: readonly Item[], nameOf: (item: Item) => string): string[] {
  return [...Map.groupBy(items, nameOf)].filter(([, same]) => same.length > 1).map(([name]) => name);
}

export interface Answered {
  entries: readonly Entry[];
  accounts: readonly Account[];
  lost: readonly Lost[];
  present: Testimony;
  disorder: readonly string[];
}

/** Codes that a service decides on. An error of the edge says nothing about what was applied. */
const DECIDED = new Set([
  'STALE_RESOURCE_VERSION',
  'INVALID_STATE',
  'EXTERNAL_REFERENCE_EXISTS',
  'NOT_FOUND',
  'IDEMPOTENCY_KEY_REUSED',
]);

/** Compares the clients' answers with their earlier answers and with the database. */
export const ANSWER_RULES: Rules<Answered> = {
  'an acknowledged draft is there, once': ({ accounts, lost, present }) => {
    const there = new Map(present.contracts.map((each) => [each.id, each]));
    const missing = accounts.flatMap((account) => {
      const answer = account.does === 'create' ? standing(account, lost) : undefined;
      if (answer === undefined) return [];
      const { id } = JSON.parse(answer) as { id: string };
      return there.get(id)?.reference === account.about ? [] : [`draft ${id} of ${account.about} is missing`];
    });
    const referred = present.contracts.filter(({ reference }) => reference !== null);
    const twice = more(referred, ({ workspace, reference }) => `${workspace} ${reference}`);
    return [...missing, ...twice.map((each) => `there are two drafts of ${each}`)];
  },
  'what a draft agrees on is there to be worked on, once': ({ accounts, lost, present }) => {
    const agreed = Map.groupBy(present.work, ({ contractId }) => contractId);
    return accounts.flatMap((account) => {
      const answer = account.does === 'create' ? standing(account, lost) : undefined;
      if (answer === undefined) return [];
      const { id } = JSON.parse(answer) as { id: string };
      const milestones = agreed.get(id)?.length ?? 0;
      return milestones === 1 ? [] : [`draft ${id} agrees on one milestone, and has ${milestones}`];
    });
  },
  'retries of one key are all answered the same': ({ accounts, lost }) =>
    accounts.flatMap((each) => contradicted(each, lost)),
  'a retry is told what its first try came to': ({ accounts, lost, present }) => {
    const rivals = Map.groupBy(accounts.filter(mayHaveHappened), ({ about }) => about);
    const undecided = new Set(present.work.filter(({ status }) => status === 'submitted').map(({ id }) => id));
    return accounts
      .filter((account) => {
        const { tries, about, does } = account;
        if (does === 'demote' || does === 'promote' || rivals.get(about)?.length !== 1 || undecided.has(about))
          return false;
        const last = tries.at(-1)!;
        const isRefused = last.outcome.type === 'refused' && DECIDED.has(last.outcome.code);
        return isRefused && !mayBeLost({ from: tries[0]!.from, at: last.at }, lost) && tries.some(isUnknown);
      })
      .map(({ key, about }) => `${about}: the only one who asked was refused in the end, and it is done (${key})`);
  },
  'only who may decides': ({ accounts, lost }) =>
    accounts.flatMap((account) => {
      if (account.role === 'admin' || account.does === 'create') return [];
      const done = account.tries.find(({ outcome }) => outcome.type === 'ok');
      if (!done || (account.role === 'turncoat' && mayStillBeAdmin(account, done, accounts, lost))) return [];
      return [`a ${account.role} has decided on ${account.about} (${account.door}, ${account.key})`];
    }),
  'versions and updatedAt never go back': ({ entries }) => readsOf(entries).flatMap(([, reads]) => backwards(reads)),
  'changes of a workspace are committed in the order of their times': ({ disorder }) => [...disorder],
  'whoever follows a list ends with all of it': ({ entries }) =>
    entries.flatMap((entry) =>
      entry.type === 'compared' && entry.missed.length > 0
        ? [
            `${entry.list} of ${entry.workspace}: ${entry.missed.length} of ${entry.rows} missed, such as ${entry.missed[0]!}`,
          ]
        : [],
    ),
  'the ledger is balanced and nothing is below zero, whenever it is read': ({ entries }) =>
    entries.flatMap((entry) => (entry.type === 'ledger' ? entry.wrong : [])),
  'every answer is one of openapi.json': ({ entries }) => improper(entries, 'documented'),
  'nobody sees what is of another workspace': ({ entries, present }) => {
    const owners = new Map(
      [...present.work, ...present.payments, ...present.contracts].map((each) => [each.id, each.workspace]),
    );
    const foreign = readsOf(entries).flatMap(([, reads]) =>
      reads.flatMap(({ rows, workspace }) => rows.filter(([id]) => (owners.get(id) ?? workspace) !== workspace)),
    );
    return [...improper(entries, 'apart'), ...foreign.map(([id]) => `${id} was seen in another workspace`)];
  },
};

const isUnknown = ({ outcome }: Try): boolean => outcome.type === 'unknown';

/** Two answers that differ, or a refusal after an answer, unless the first may have been lost. */
function contradicted({ tries, key, about }: Account, lost: readonly Lost[]): string[] {
  const first = tries.find((each) => each.outcome.type === 'ok' && !mayBeLost(each, lost));
  if (first?.outcome.type !== 'ok') return [];
  const { body } = first.outcome;
  return tries.slice(tries.indexOf(first) + 1).flatMap(({ outcome }) => {
    if (outcome.type === 'ok' && outcome.body !== body) return [`${about}: two answers to one key (${key})`];
    if (outcome.type === 'refused' && DECIDED.has(outcome.code))
      return [`${about}: done, then ${outcome.code} (${key})`];
    return [];
  });
}

/** True if a switch may have lost the demotion before. */
function mayStillBeAdmin({ by }: Account, done: Try, accounts: readonly Account[], lost: readonly Lost[]): boolean {
  const demotions = accounts.filter((each) => each.does === 'demote' && each.by === by);
  const last = demotions
    .flatMap(({ tries }) => tries)
    .findLast(({ outcome, at }) => outcome.type === 'ok' && at <= done.from);
  return !last || lost.some(({ from, to }) => from < last.at && to > last.from && from < done.at);
}

function improper(entries: readonly Entry[], rule: 'documented' | 'apart'): string[] {
  return entries.flatMap((entry) => (entry.type === 'improper' && entry.rule === rule ? [entry.what] : []));
}

/** The reads of one follower in one epoch, in order. */
function readsOf(entries: readonly Entry[]): [string, Read[]][] {
  const reads = entries.filter((entry) => entry.type === 'read');
  return [...Map.groupBy(reads, ({ by, epoch, list }) => `${by} ${epoch} ${list}`)];
}

function backwards(reads: readonly Read[]): string[] {
  const newest = new Map<string, SeenRow>();
  return reads.flatMap(({ rows, list }) =>
    rows.flatMap((row) => {
      const [id, updatedAt, digest] = row;
      const before = newest.get(id);
      newest.set(id, row);
      if (!before || before[1] < updatedAt) return [];
      if (before[1] === updatedAt && before[2] === digest) return [];
      return [`${id} of ${list} was of ${before[1]}, and then, changed, of ${updatedAt}`];
    }),
  );
}
