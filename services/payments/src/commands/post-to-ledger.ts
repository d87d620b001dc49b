import { LockMode, type InferEntity } from '@mikro-orm/core';
import { Money, newId } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
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
  const { em, workspaceId, now: createdAt } = tx;
  const currency = entries[0]?.amount.currency;
  if (currency === undefined) return;
  const accounts = await findAccounts(tx, currency);
  const posting = { paymentId: null, attempt: null, reference: null, ...reason, id: postingId, kind, createdAt };
  em.create(LedgerPostingTable, { workspaceId, ...posting });
  for (const { account, amount: money } of entries) {
    const { amount } = money;
    const known = accounts.find((each) => each.account === account);
    if (known) known.balance = Money.stored(known.balance, currency).plus(money).amount;
    else em.create(LedgerAccountTable, { workspaceId, account, currency, balance: amount });
    const entry = { workspaceId, id: newId(), postingId, account, currency, amount, createdAt };
    em.create(LedgerEntryTable, entry);
  }
}

export async function availableFunds(tx: CommandTransaction, currency: string): Promise<Money> {
  const accounts = await findAccounts(tx, currency);
  return Money.stored(accounts.find(({ account }) => account === 'available')?.balance ?? '0', currency);
}

/** Locked until commit: the new balance is computed from what is read here. */
function findAccounts(
  { em, workspaceId }: CommandTransaction,
  currency: string,
): Promise<InferEntity<typeof LedgerAccountTable>[]> {
  const locked = { orderBy: { account: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  return em.find(LedgerAccountTable, { workspaceId, currency }, locked);
}
