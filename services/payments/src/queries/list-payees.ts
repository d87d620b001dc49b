import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { Payee, VerificationStatus } from '../domain/payee.js';
import { PAYEE_COLUMNS, toPayee, type PayeeRow } from '../store/to-payee.js';

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
  const keyset = new Keyset({ list: 'payees', workspaceId, filters, limit, cursor, updatedSince });
  if (workerId && !isId(workerId)) return { nodes: [], hasMore: false, nextCursor: null };
  const statement = keyset.statement(part`select ${PAYEE_COLUMNS} from payee`, 'payee', [
    verificationStatus && part`verification_status = ${verificationStatus}`,
    workerId && part`worker_id = ${workerId}`,
  ]);
  const rows = await readComposed<PayeeRow>(em, statement);
  return keyset.page(rows, toPayee);
}
