import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { columns, read, sql } from '@payroll/store';
import { ContractTermsTable } from '../store/tables.js';

/** The terms that work under a contract is paid by. */
export async function termsOfWork(em: EntityManager, workspaceId: string, contractId: string) {
  if (!isId(contractId)) return null;
  const [terms] = await read(
    em,
    sql`select ${columns(ContractTermsTable, 'status', 'rate', 'currency', 'paymentDueDays')} from contract_terms
      where workspace_id = ${workspaceId} and contract_id = ${contractId} and not deleted`,
  );
  return terms ?? null;
}
