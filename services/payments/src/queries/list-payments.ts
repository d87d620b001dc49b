import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type PaymentStatus } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { Payment } from '../domain/payment.js';
import type { PaymentsRows } from '../store/schema.js';
import { PAYMENT_COLUMNS, toPayment } from '../store/to-payment.js';

export interface PaymentFilters {
  status?: PaymentStatus | null;
  contractId?: string | null;
  updatedSince?: string | null;
  limit: number;
  cursor?: string | null;
}

export async function listPayments(
  em: EntityManager,
  workspaceId: string,
  { status, contractId, updatedSince, limit, cursor }: PaymentFilters,
): Promise<Page<Payment>> {
  const filters = { status: status ?? null, contractId: contractId ?? null };
  const keyset = new Keyset({ workspaceId, filters, limit, cursor, updatedSince });
  if (contractId && !isId(contractId)) return { nodes: [], hasMore: false, nextCursor: null };
  let query = em
    .getKysely<PaymentsRows>()
    .selectFrom('payment')
    .where('workspace_id', '=', workspaceId)
    .where(keyset.where('payment'));
  if (status) query = query.where('status', '=', status);
  if (contractId) query = query.where('contract_id', '=', contractId);
  const rows = await query.select(PAYMENT_COLUMNS).orderBy(keyset.orderBy('payment')).limit(keyset.rowLimit).execute();
  return keyset.page(rows, toPayment);
}
