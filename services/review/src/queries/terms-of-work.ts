import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { columns, read, sql } from '@payroll/store';
import { ContractTermsTable } from '../store/tables.js';

/** The terms that work under a contract is paid by; for a worker, only under a contract of theirs. */
export async function termsOfWork(em: EntityManager, workspaceId: string, contractId: string, workerId?: string) {
  if (!isId(contractId)) return null;
  const own = workerId === undefined ? sql`` : sql`and worker_id = ${workerId}`;
  const [terms] = await read(
    em,
    sql`select ${columns(ContractTermsTable, 'status', 'rate', 'currency', 'paymentDueDays')} from contract_terms
      where workspace_id = ${workspaceId} and contract_id = ${contractId} and not deleted ${own}`,
  );
  return terms ?? null;
}
