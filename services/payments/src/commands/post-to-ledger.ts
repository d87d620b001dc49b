import { Money, newId } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { columns, sql, type TableRow } from '@payroll/store';
import type { EntryDraft, PostingKind } from '../domain/ledger.js';
import { LedgerAccountTable, LedgerEntryTable, LedgerPostingTable } from '../store/money-tables.js';

/** What money moves for: a payment and its attempt, or a transfer from outside. */
interface Reason {
  /** Of the posting; a new one unless given. */
  id?: string;
  paymentId?: string;
  attempt?: number;
  reference?: string;
}

/** The entries have one currency, at most one per account, and add up to zero; without any, nothing is posted. */
export async function postToLedger(
  tx: CommandTransaction,
  kind: PostingKind,
  entries: readonly EntryDraft[],
  { id: postingId = newId(), ...reason }: Reason,
): Promise<void> {
  const { workspaceId, now: createdAt } = tx;
  const currency = entries[0]?.amount.currency;
  if (currency === undefined) return;
  const accounts = await lockAccounts(tx, currency);
  const posting = { paymentId: null, attempt: null, reference: null, ...reason, id: postingId, kind, createdAt };
  tx.insert(LedgerPostingTable, { workspaceId, ...posting });
  for (const { account, amount: money } of entries) {
    const { amount } = money;
    const known = accounts.find((each) => each.account === account);
    if (!known) tx.insert(LedgerAccountTable, { workspaceId, account, currency, balance: amount });
    else tx.update(LedgerAccountTable, known, { balance: Money.stored(known.balance, currency).plus(money).amount });
    tx.insert(LedgerEntryTable, { workspaceId, id: newId(), postingId, account, currency, amount, createdAt });
  }
}

export async function availableFunds(tx: CommandTransaction, currency: string): Promise<Money> {
  const accounts = await lockAccounts(tx, currency);
  return Money.stored(accounts.find(({ account }) => account === 'available')?.balance ?? '0', currency);
}

/** Locked until commit, since new balances are computed from them; always in this order, so that nobody deadlocks. */
function lockAccounts(tx: CommandTransaction, currency: string): Promise<TableRow<typeof LedgerAccountTable>[]> {
  return tx.read(sql`select ${columns(LedgerAccountTable)} from ledger_account
    where workspace_id = ${tx.workspaceId} and currency = ${currency} order by account asc for update`);
}
