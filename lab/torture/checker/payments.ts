import type { Entry } from '../history.js';
import { isAcknowledged, mayBeLost, mayHaveHappened, standing, type Account, type Lost } from './account.js';
import type { Order } from '@payroll/tests/support/provider-orders';
import type { HeldPayment, Testimony } from './testimony.js';
import type { Rules } from './verdict.js';

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
