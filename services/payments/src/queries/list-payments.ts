import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type PaymentStatus } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { Payment } from '../domain/payment.js';
import { PAYMENT_COLUMNS, toPayment, type PaymentRow } from '../store/to-payment.js';

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
  const keyset = new Keyset({ list: 'payments', workspaceId, filters, limit, cursor, updatedSince });
  if (contractId && !isId(contractId)) return { nodes: [], hasMore: false, nextCursor: null };
  const statement = keyset.statement(part`select ${PAYMENT_COLUMNS} from payment`, 'payment', [
    status && part`status = ${status}`,
    contractId && part`contract_id = ${contractId}`,
  ]);
  const rows = await readComposed<PaymentRow>(em, statement);
  return keyset.page(rows, toPayment);
}
