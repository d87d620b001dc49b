import type { Order } from '@payroll/tests/support/provider-orders';
import type { Entry, Read, SeenRow } from '../history.js';
import {
  type Operation,
  type Lost,
  type Rules,
  type Try,
  isAcknowledged,
  mayBeLost,
  mayHaveHappened,
  finalAnswer,
} from './operations.js';
import type { PaymentRow, Records } from './records.js';

export interface Evidence {
  entries: readonly Entry[];
  operations: readonly Operation[];
  lost: readonly Lost[];
  present: Records;
  replaced: readonly Records[];
  orders: readonly Order[];
  /** Changes that were committed out of order. */
  disorder: readonly string[];
  /** Whether Postgres accepted a second payment for the same work. */
  allowsSecond: boolean;
}

/** Rules about approvals, payments and orders: the product's main promises. */
const PAYMENT_RULES: Rules<Evidence> = {
  'a piece of work has at most one payment': ({ present, replaced }) =>
    [present, ...replaced].flatMap(({ payments }) =>
      more(payments, ({ sourceId }) => sourceId).map((source) => `work ${source} has several payments in one history`),
    ),
  'an acknowledged approval has exactly its payment': ({ operations, lost, present }) => {
    const work = new Map(present.work.map((each) => [each.id, each]));
    const payments = new Map(present.payments.map((each) => [each.id, each]));
    return operations.flatMap((operation) => {
      const answer =
        operation.does === 'approve' && operation.role === 'admin' ? finalAnswer(operation, lost) : undefined;
      if (answer === undefined) return [];
      const told = paymentIn(answer);
      const holds = work.get(operation.about)?.paymentId === told && payments.get(told)?.sourceId === operation.about;
      return holds
        ? []
        : [`work ${operation.about} was approved with payment ${told}, which is not there (${operation.key})`];
    });
  },
  'no payment is made without an approval': ({ operations, present, replaced }) => {
    const wanted = new Set(
      operations.filter((each) => each.does === 'approve' && mayHaveHappened(each)).map(({ about }) => about),
    );
    const isUnwanted = ({ sourceId }: PaymentRow): boolean => !wanted.has(sourceId);
    return [present, ...replaced].flatMap(({ payments }) =>
      payments.filter(isUnwanted).map(({ id, sourceId }) => `payment ${id} pays ${sourceId}, which nobody approved`),
    );
  },
  'a payment is the one that its work was approved with': ({ present, replaced }) =>
    [present, ...replaced].flatMap(({ work, payments }) => {
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
  'what was rejected is not paid': ({ operations, lost, present }) => {
    const paid = new Set(present.payments.map(({ sourceId }) => sourceId));
    const rejected = operations.filter((each) => each.does === 'reject' && finalAnswer(each, lost) !== undefined);
    return rejected.flatMap(({ about }) => (paid.has(about) ? [`work ${about} was rejected and is paid`] : []));
  },
  'a payment that failed says why': ({ present }) =>
    present.payments
      .filter(({ status, failureReason }) => status === 'failed' && failureReason === null)
      .map(({ id }) => `payment ${id} failed without a reason`),
};

/** Acknowledged approvals that a switch has lost: reported, not a violation. */
export function lostApprovals({ operations, lost, present }: Evidence): string[] {
  const paid = new Set(present.payments.map(({ sourceId }) => sourceId));
  return operations
    .filter((each) => each.does === 'approve' && isAcknowledged(each) && finalAnswer(each, lost) === undefined)
    .filter(({ about }) => !paid.has(about))
    .map(({ about }) => about);
}

function paymentIn(body: string): string {
  // In the graph it has the name of the field.
  return /"paymentId":"([^"]+)"/.exec(body)?.[1] ?? 'none';
}

function more<Item>(items: readonly Item[], nameOf: (item: Item) => string): string[] {
  return [...Map.groupBy(items, nameOf)].filter(([, same]) => same.length > 1).map(([name]) => name);
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
const ANSWER_RULES: Rules<Evidence> = {
  'an acknowledged draft is there, once': (evidence) => {
    const { contracts } = evidence.present;
    const there = new Map(contracts.map((each) => [each.id, each]));
    const missing = draftsOf(evidence).filter(({ id, reference }) => there.get(id)?.reference !== reference);
    const referred = contracts.filter(({ reference }) => reference !== null);
    const twice = more(referred, ({ workspace, reference }) => `${workspace} ${reference}`);
    return [
      ...missing.map(({ id, reference }) => `draft ${id} of ${reference} is missing`),
      ...twice.map((each) => `there are two drafts of ${each}`),
    ];
  },
  'what a draft agrees on is there to be worked on, once': (evidence) => {
    const agreed = Map.groupBy(evidence.present.work, ({ contractId }) => contractId);
    return draftsOf(evidence).flatMap(({ id }) => {
      const milestones = agreed.get(id)?.length ?? 0;
      return milestones === 1 ? [] : [`draft ${id} agrees on one milestone, and has ${milestones}`];
    });
  },
  'retries of one key are all answered the same': ({ operations, lost }) =>
    operations.flatMap((each) => contradicted(each, lost)),
  'a retry is told what its first try came to': ({ operations, lost, present }) => {
    const rivals = Map.groupBy(operations.filter(mayHaveHappened), ({ about }) => about);
    const undecided = new Set(present.work.filter(({ status }) => status === 'submitted').map(({ id }) => id));
    return operations
      .filter((operation) => {
        const { tries, about, does } = operation;
        if (does === 'demote' || does === 'promote' || rivals.get(about)?.length !== 1 || undecided.has(about))
          return false;
        const last = tries.at(-1)!;
        const isRefused = last.outcome.type === 'refused' && DECIDED.has(last.outcome.code);
        return isRefused && !mayBeLost({ from: tries[0]!.from, at: last.at }, lost) && tries.some(isUnknown);
      })
      .map(({ key, about }) => `${about}: the only one who asked was refused in the end, and it is done (${key})`);
  },
  'only who may decides': ({ operations, lost }) =>
    operations.flatMap((operation) => {
      if (operation.role === 'admin' || operation.does === 'create') return [];
      const done = operation.tries.find(({ outcome }) => outcome.type === 'ok');
      if (!done || (operation.role === 'demoted' && mayStillBeAdmin(operation, done, operations, lost))) return [];
      return [`a ${operation.role} has decided on ${operation.about} (${operation.via}, ${operation.key})`];
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

/** Those whose creation was acknowledged. */
const draftsOf = ({ operations, lost }: Evidence): { id: string; reference: string }[] =>
  operations.flatMap((operation) => {
    const answer = operation.does === 'create' ? finalAnswer(operation, lost) : undefined;
    return answer === undefined ? [] : [{ ...(JSON.parse(answer) as { id: string }), reference: operation.about }];
  });

const isUnknown = ({ outcome }: Try): boolean => outcome.type === 'unknown';

/** Two answers that differ, or a refusal after an answer, unless the first may have been lost. */
function contradicted({ tries, key, about }: Operation, lost: readonly Lost[]): string[] {
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
function mayStillBeAdmin(
  { by }: Operation,
  done: Try,
  operations: readonly Operation[],
  lost: readonly Lost[],
): boolean {
  const demotions = operations.filter((each) => each.does === 'demote' && each.by === by);
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

export const RULES: Rules<Evidence> = { ...PAYMENT_RULES, ...ANSWER_RULES };
