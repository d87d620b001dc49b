import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { Payee, VerificationStatus } from '../domain/payee.js';
import type { PaymentsRows } from '../store/schema.js';
import { PAYEE_COLUMNS, toPayee } from '../store/to-payee.js';

export interface PayeeFilters {
  verificationStatus?: VerificationStatus | null;
  workerId?: string | null;
  updatedSince?: string | null;
  limit: number;
  cursor?: string | null;
}

export async function listPayees(
  em: EntityManager,
  workspaceId: string,
  { verificationStatus, workerId, updatedSince, limit, cursor }: PayeeFilters,
): Promise<Page<Payee>> {
  const filters = { verificationStatus: verificationStatus ?? null, workerId: workerId ?? null };
  const keyset = new Keyset({ workspaceId, filters, limit, cursor, updatedSince });
  if (workerId && !isId(workerId)) return { nodes: [], hasMore: false, nextCursor: null };
  let query = em
    .getKysely<PaymentsRows>()
    .selectFrom('payee')
    .where('workspace_id', '=', workspaceId)
    .where(keyset.where('payee'));
  if (verificationStatus) query = query.where('verification_status', '=', verificationStatus);
  if (workerId) query = query.where('worker_id', '=', workerId);
  const rows = await query.select(PAYEE_COLUMNS).orderBy(keyset.orderBy('payee')).limit(keyset.rowLimit).execute();
  return keyset.page(rows, toPayee);
}
