import { DomainError, Money, newId } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { columns, sql, type TableRow } from '@payroll/store';
import { ASSET_ACCOUNTS, type EntryDraft, type LedgerAccountName, type PostingKind } from '../domain/ledger.js';
import { LedgerAccountTable, LedgerEntryTable, LedgerPostingTable } from '../store/money-tables.js';

/** Why money moves: a payment and its attempt, or a transfer from outside. */
interface Reason {
  /** The posting's id; generated unless given. */
  id?: string;
  paymentId?: string;
  attempt?: number;
  reference?: string;
}

/**
 * The entries add up to zero per currency, with at most one per account; an empty list posts nothing.
 * @throws DomainError `INVALID_STATE` when more was paid out than the workspace has, or more is cleared than is owed
 */
export async function postToLedger(
  tx: CommandTransaction,
  kind: PostingKind,
  entries: readonly EntryDraft[],
  { id: postingId = newId(), ...reason }: Reason,
): Promise<void> {
  if (entries.length === 0) return;
  const booked = await requireBalance(tx, entries);
  tx.insert(LedgerPostingTable, { paymentId: null, attempt: null, reference: null, ...reason, id: postingId, kind });
  for (const { account, currency, amount, known, balance } of booked) {
    if (!known) tx.insert(LedgerAccountTable, { account, currency, balance });
    else tx.update(LedgerAccountTable, known, { balance });
    tx.insert(LedgerEntryTable, { id: newId(), postingId, account, currency, amount });
  }
}

/**
 * @returns each entry with its account, if there is one yet, and the balance that it leaves
 * @throws DomainError `INVALID_STATE` if posting these entries now would throw it
 */
export async function requireBalance(tx: CommandTransaction, entries: readonly EntryDraft[]) {
  const accounts = await lockAccounts(tx, [...new Set(entries.map(({ amount }) => amount.currency))]);
  return entries.map((entry) => {
    const { account, amount: money } = entry;
    const { amount, currency } = money;
    const known = accounts.find((each) => each.account === account && each.currency === currency);
    return { account, currency, amount, known, balance: balanceAfter(entry, known).amount };
  });
}

/** Messages for balances that a check constraint in Postgres would refuse as an internal error. */
const BEYOND: Partial<Record<LedgerAccountName, string>> = {
  available: 'The workspace does not have the money that was paid: book its funding first.',
  workers_payable: 'The amount is more than the workers are owed.',
  workers_receivable: 'The amount is more than the workers owe.',
};

function balanceAfter({ account, amount }: EntryDraft, known: { balance: string } | undefined): Money {
  const balance = known ? Money.stored(known.balance, amount.currency).plus(amount) : amount;
  const sign = balance.compare(Money.zero(amount.currency));
  const isBeyond = ASSETS.has(account) ? sign < 0 : sign > 0;
  const reason = BEYOND[account];
  if (isBeyond && reason !== undefined) throw new DomainError('INVALID_STATE', reason);
  return balance;
}

const ASSETS: ReadonlySet<LedgerAccountName> = new Set(ASSET_ACCOUNTS);

export async function availableFunds(tx: CommandTransaction, currency: string): Promise<Money> {
  const accounts = await lockAccounts(tx, [currency]);
  return Money.stored(accounts.find(({ account }) => account === 'available')?.balance ?? '0', currency);
}

/**
 * Locks the accounts until commit, since new balances are computed from them; always in this order, to avoid
 * deadlocks.
 */
function lockAccounts(
  tx: CommandTransaction,
  currencies: readonly string[],
): Promise<TableRow<typeof LedgerAccountTable>[]> {
  return tx.read(sql`select ${columns(LedgerAccountTable)} from ledger_account
    where workspace_id = ${tx.workspaceId} and currency = any(${currencies}::text[])
    order by currency asc, account asc for update`);
}
