import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, toInstant } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { LedgerAccountName, LedgerEntry } from '../domain/ledger.js';
import type { MoneyValue } from '../domain/values.js';

export interface LedgerEntryFilters {
  account?: LedgerAccountName | null;
  currency?: string | null;
  paymentId?: string | null;
  limit: number;
  cursor?: string | null;
}

/** Entries, newest first. They never change, so that is the only order. */
export async function listLedgerEntries(
  em: EntityManager,
  workspaceId: string,
  { account, currency, paymentId, limit, cursor }: LedgerEntryFilters,
): Promise<Page<LedgerEntry>> {
  const filters = { account: account ?? null, currency: currency ?? null, paymentId: paymentId ?? null };
  const keyset = new Keyset({ list: 'ledger entries', workspaceId, filters, limit, cursor });
  if (paymentId && !isId(paymentId)) return { nodes: [], hasMore: false, nextCursor: null };
  const statement = keyset.statement(ENTRIES, 'ledger_entry', [
    account && part`ledger_entry.account = ${account}`,
    currency && part`ledger_entry.currency = ${currency}`,
    paymentId && part`ledger_posting.payment_id = ${paymentId}`,
  ]);
  const rows = await readComposed<Row>(em, statement);
  return keyset.page(rows, (row) => ({
    id: row.id,
    postingId: row.postingId,
    kind: row.kind,
    paymentId: row.paymentId,
    account: row.account,
    amount: { amount: row.amount, currency: row.currency },
    createdAt: toInstant(row.createdAt),
  }));
}

const ENTRIES = part`select ledger_entry.id, ledger_entry.posting_id as "postingId", ledger_entry.account,
    ledger_entry.currency, ledger_entry.amount, ledger_posting.kind, ledger_posting.payment_id as "paymentId",
    ledger_entry.created_at as "createdAt", ledger_entry.created_at as "updatedAt"
  from ledger_entry
  join ledger_posting on ledger_posting.workspace_id = ledger_entry.workspace_id
    and ledger_posting.id = ledger_entry.posting_id`;

type Row = Omit<LedgerEntry, 'amount'> & MoneyValue & { updatedAt: string };
