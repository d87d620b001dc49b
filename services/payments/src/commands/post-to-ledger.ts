import { LockMode, type InferEntity } from '@mikro-orm/core';
import { Money, newId } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import type { EntryDraft, LedgerPosting, PostingKind } from '../domain/ledger.js';
import { LedgerAccountTable, LedgerEntryTable, LedgerPostingTable } from '../store/ledger-tables.js';

export interface PostingDraft {
  /** A new one unless told. */
  id?: string;
  kind: PostingKind;
  currency: string;
  /** All in this currency, one for an account, adding up to zero. */
  entries: readonly EntryDraft[];
  paymentId?: string;
  attempt?: number;
  reference?: string;
}

type AccountEntity = InferEntity<typeof LedgerAccountTable>;

/** Writes a posting with its entries and moves the balances of the accounts, all in the command's transaction. */
export async function postToLedger(tx: CommandTransaction, draft: PostingDraft): Promise<LedgerPosting> {
  const { em, workspaceId, now } = tx;
  const { id = newId(), kind, currency, entries, paymentId = null, attempt = null, reference = null } = draft;
  const accounts = await findAccounts(tx, currency);
  const posting = { id, kind, paymentId, reference, createdAt: now };
  em.persist(em.create(LedgerPostingTable, { workspaceId, ...posting, attempt }));
  for (const { account, amount: money } of entries) {
    const { amount } = money;
    const known = accounts.find((each) => each.account === account);
    if (known) known.balance = Money.stored(known.balance, currency).plus(money).amount;
    else em.persist(em.create(LedgerAccountTable, { workspaceId, account, currency, balance: amount }));
    const place = { workspaceId, id: newId(), postingId: posting.id, account, currency };
    em.persist(em.create(LedgerEntryTable, { ...place, amount, createdAt: now }));
  }
  return posting;
}

/** What the workspace can spend in a currency. */
export async function availableFunds(tx: CommandTransaction, currency: string): Promise<Money> {
  const accounts = await findAccounts(tx, currency);
  return Money.stored(accounts.find(({ account }) => account === 'available')?.balance ?? '0', currency);
}

/** Locked until commit: the new balance is reckoned from what is read here. */
function findAccounts({ em, workspaceId }: CommandTransaction, currency: string): Promise<AccountEntity[]> {
  const locked = { orderBy: { account: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  return em.find(LedgerAccountTable, { workspaceId, currency }, locked);
}
