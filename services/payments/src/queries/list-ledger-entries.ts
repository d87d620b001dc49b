import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, toInstant } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { LedgerAccountName, LedgerEntry } from '../domain/ledger.js';
import type { PaymentsRows } from '../store/schema.js';

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
  const keyset = new Keyset({ workspaceId, filters, limit, cursor });
  if (paymentId && !isId(paymentId)) return { nodes: [], hasMore: false, nextCursor: null };
  let query = em
    .getKysely<PaymentsRows>()
    .selectFrom('ledger_entry')
    .innerJoin('ledger_posting', (join) =>
      join
        .onRef('ledger_posting.workspace_id', '=', 'ledger_entry.workspace_id')
        .onRef('ledger_posting.id', '=', 'ledger_entry.posting_id'),
    )
    .where('ledger_entry.workspace_id', '=', workspaceId)
    .where(keyset.where('ledger_entry'));
  if (account) query = query.where('ledger_entry.account', '=', account);
  if (currency) query = query.where('ledger_entry.currency', '=', currency);
  if (paymentId) query = query.where('ledger_posting.payment_id', '=', paymentId);
  const rows = await query
    .select(LEDGER_ENTRY_COLUMNS)
    .orderBy(keyset.orderBy('ledger_entry'))
    .limit(keyset.rowLimit)
    .execute();
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

const LEDGER_ENTRY_COLUMNS = [
  'ledger_entry.id',
  'ledger_entry.posting_id as postingId',
  'ledger_entry.account',
  'ledger_entry.currency',
  'ledger_entry.amount',
  'ledger_posting.kind',
  'ledger_posting.payment_id as paymentId',
  'ledger_entry.created_at as createdAt',
  'ledger_entry.created_at as updatedAt',
] as const;
