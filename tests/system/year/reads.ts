import { exact, plain, type Currency } from './money.js';
import type { Deal } from './model.js';
import type { Workspace } from './workspace.js';

interface ShownMoney {
  amount: string;
  currency: Currency;
}

const MONEY = '{ amount currency }';

export interface ShownPayment {
  id: string;
  contractId: string;
  timesheetId: string | null;
  milestoneId: string | null;
  status: string;
  failureReason: string | null;
  scheduledDate: string | null;
  completedAt: string | null;
  grossAmount: ShownMoney;
  netAmount: ShownMoney;
  deductions: { amount: ShownMoney }[];
  payoutAttempts: { status: string; amount: ShownMoney }[];
}

const PAYMENTS = `query ($cursor: String) { payments(limit: 100, cursor: $cursor) { nextCursor nodes {
  id contractId timesheetId milestoneId status failureReason scheduledDate completedAt
  grossAmount ${MONEY} netAmount ${MONEY} deductions { amount ${MONEY} } payoutAttempts { status amount ${MONEY} }
} } }`;

export function readPayments(workspace: Workspace): Promise<ShownPayment[]> {
  return workspace.all<ShownPayment>(PAYMENTS);
}

interface ShownWork {
  id: string;
  contractId: string;
  status: string;
  paymentId: string | null;
  /** The total of a timesheet or the amount of a milestone. */
  money: ShownMoney;
  paymentStatus?: string | null;
}

const TIMESHEETS = `query ($cursor: String) { timesheets(limit: 100, cursor: $cursor) { nextCursor nodes {
  id contractId status paymentId paymentStatus money: total ${MONEY} } } }`;
const MILESTONES = `query ($id: ID!) { milestones(contractId: $id, limit: 100) { nodes {
  id contractId status paymentId money: amount ${MONEY} } } }`;

async function readWorks(workspace: Workspace, deals: readonly Deal[]): Promise<ShownWork[]> {
  const timesheets = await workspace.all<ShownWork>(TIMESHEETS);
  const lists = await Promise.all(
    deals
      .filter(({ work }) => work === 'milestones')
      .map(({ contractId: id }) => workspace.ask<{ nodes: ShownWork[] }>(MILESTONES, { id })),
  );
  return [...timesheets, ...lists.flatMap(({ nodes }) => nodes)];
}

/** Every piece of work and its payment as the services show them, in the format of the model's `lineOf`. */
export async function readLines(workspace: Workspace, deals: readonly Deal[]): Promise<Map<string, string>> {
  const [works, payments] = await Promise.all([readWorks(workspace, deals), readPayments(workspace)]);
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  return new Map(
    works.map((work) => {
      const payment = work.paymentId === null ? undefined : byId.get(work.paymentId);
      const { amount, currency } = work.money;
      const start = `${work.status} ${plain(exact(amount))} ${currency}`;
      return [work.id, `${start}: ${payment ? lineOfPayment(work, payment) : 'no payment'}`];
    }),
  );
}

function lineOfPayment({ id, contractId, paymentStatus, money }: ShownWork, payment: ShownPayment): string {
  const { status, grossAmount, netAmount, scheduledDate, payoutAttempts, failureReason } = payment;
  const isOfWork = (payment.timesheetId ?? payment.milestoneId) === id && payment.contractId === contractId;
  const isInCurrency = [grossAmount, netAmount].every(({ currency }) => currency === money.currency);
  if (!isOfWork || !isInCurrency) return `payment ${payment.id} is of something else`;
  // Review receives the payment's status by an event, a moment later.
  if (paymentStatus !== undefined && paymentStatus !== status) return `${status}, but review knows of ${paymentStatus}`;
  const paid = `${status} ${plain(exact(grossAmount.amount))} net ${plain(exact(netAmount.amount))}`;
  return `${paid} due ${scheduledDate ?? 'at once'} attempts ${payoutAttempts.length} ${failureReason ?? 'no reason'}`;
}

interface ShownAccount {
  account: string;
  balance: ShownMoney;
  entriesTotal: ShownMoney;
}

export function readAccounts(workspace: Workspace): Promise<ShownAccount[]> {
  const query = `{ ledgerAccounts { account balance ${MONEY} entriesTotal ${MONEY} } }`;
  return workspace.ask(query, {}, workspace.finance[0]);
}

export interface ShownEntry {
  postingId: string;
  kind: string;
  paymentId: string | null;
  account: string;
  amount: ShownMoney;
}

export function readEntries(workspace: Workspace): Promise<ShownEntry[]> {
  return workspace.all<ShownEntry>(
    `query ($cursor: String) { ledgerEntries(limit: 100, cursor: $cursor) { nextCursor nodes {
      postingId kind paymentId account amount ${MONEY} } } }`,
    workspace.finance[0],
  );
}

/** `available/EUR` → amount, without zero amounts. */
export async function readBalances(workspace: Workspace): Promise<Map<string, string>> {
  const { available, pending } = await workspace.ask<{ available: ShownMoney[]; pending: ShownMoney[] }>(
    `{ balances { available ${MONEY} pending ${MONEY} } }`,
  );
  const named = Object.entries({ available, pending }).flatMap(([name, moneys]) =>
    moneys.map(({ amount, currency }): [string, string] => [`${name}/${currency}`, plain(exact(amount))]),
  );
  return new Map(named.filter(([, amount]) => amount !== '0'));
}
