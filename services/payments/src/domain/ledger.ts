import { Money } from '@payroll/kernel';

/**
 * Accounts of a workspace, one of each kind per currency. Amounts are signed, and the entries of a posting add up to
 * zero: what one account gets, others give.
 * - `funding`: the outside world that money comes from; at most zero: the negative balance is what was paid in.
 * - `available`: what the workspace can spend; never below zero.
 * - `in_flight`: reserved for payouts under way; never below zero.
 * - `settled`: the gross of work that is paid for; never below zero.
 * - `deductions_payable`: withheld from workers and owed to others, such as a tax office; at most zero. That money stays
 *   available until the business passes it on.
 * - `workers_payable`: still owed to workers whom the provider has paid less than their net; at most zero.
 * - `workers_receivable`: paid to workers beyond their net, or for no work that is here; never below zero.
 */
export const LEDGER_ACCOUNTS = [
  'funding',
  'available',
  'in_flight',
  'settled',
  'deductions_payable',
  'workers_payable',
  'workers_receivable',
] as const;
export type LedgerAccountName = (typeof LEDGER_ACCOUNTS)[number];

/** Accounts whose balance is never below zero; the balance of the others is never above zero. */
export const ASSET_ACCOUNTS = [
  'available',
  'in_flight',
  'settled',
  'workers_receivable',
] as const satisfies readonly LedgerAccountName[];

/** Accounts for the difference when a payout paid more or less than was ordered. */
export const DIFFERENCE_ACCOUNTS = [
  'workers_payable',
  'workers_receivable',
] as const satisfies readonly LedgerAccountName[];
export type DifferenceAccount = (typeof DIFFERENCE_ACCOUNTS)[number];

export const POSTING_KINDS = ['funding', 'reservation', 'release', 'settlement', 'clearing'] as const;
export type PostingKind = (typeof POSTING_KINDS)[number];

export interface EntryDraft {
  account: LedgerAccountName;
  /** Signed. */
  amount: Money;
}

export function fundingEntries(amount: Money): EntryDraft[] {
  return entries(['funding', amount.negated()], ['available', amount]);
}

/** Reserves the net while a payout is in progress. */
export function reservationEntries(net: Money): EntryDraft[] {
  return entries(['available', net.negated()], ['in_flight', net]);
}

/** The payout failed: the net can be spent again. */
export function releaseEntries(net: Money): EntryDraft[] {
  return entries(['in_flight', net.negated()], ['available', net]);
}

/**
 * The net was reserved; the rest of the gross, which was withheld, is owed to others. If the provider paid another
 * amount, the difference is owed to or by the worker. An amount paid in another currency is owed back in full.
 */
export function settlementEntries(gross: Money, net: Money, paid = net): EntryDraft[] {
  const ofWork = entries(['in_flight', net.negated()], ['settled', gross], ['deductions_payable', net.minus(gross)]);
  if (paid.currency !== net.currency) return [...ofWork, ...entriesOfRest(net), ...receivableEntries(paid)];
  const rest = net.minus(paid);
  return [...ofWork, ...(rest.isPositive() ? entriesOfRest(rest) : receivableEntries(rest.negated()))];
}

/** Reserved but not paid: available again, and owed to the worker. */
function entriesOfRest(rest: Money): EntryDraft[] {
  return entries(['available', rest], ['workers_payable', rest.negated()]);
}

/** Paid by the provider for work that is unknown here. */
export function receivableEntries(paid: Money): EntryDraft[] {
  return entries(['available', paid.negated()], ['workers_receivable', paid]);
}

/**
 * The business has paid its workers what they were owed, or got back what they owed, outside this service: booked as
 * if that money had been paid in and out. Money that arrives here is booked as a funding as well.
 */
export function clearingEntries(account: DifferenceAccount, amount: Money): EntryDraft[] {
  const cleared = account === 'workers_payable' ? amount : amount.negated();
  return entries([account, cleared], ['funding', cleared.negated()]);
}

function entries(...lines: [LedgerAccountName, Money][]): EntryDraft[] {
  return lines
    .map(([account, amount]) => ({ account, amount }))
    .filter(({ amount }) => amount.compare(Money.zero(amount.currency)) !== 0);
}

/** ISO 11649: `RF`, two check digits and the text, so that banks reject most typing errors. */
const LETTERS = 'RF00';

/**
 * The reference of a transfer by which finance finds the workspace: the last sixteen digits of the workspace's id,
 * which are all random, as a creditor reference of ISO 11649, in groups of four.
 */
export function fundingReference(workspaceId: string): string {
  const text = workspaceId.replaceAll('-', '').slice(-16).toUpperCase();
  const check = String(98n - (asNumber(text + LETTERS) % 97n)).padStart(2, '0');
  return `RF${check}${text}`.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** Letters count from 10, as in an IBAN. */
function asNumber(text: string): bigint {
  return BigInt([...text].map((letter) => Number.parseInt(letter, 36)).join(''));
}
