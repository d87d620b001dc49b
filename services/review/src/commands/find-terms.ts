import type { InferEntity } from '@mikro-orm/core';
import { isId } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { ContractTermsTable } from '../store/tables.js';

/** The terms of now. They change in commands only, of which the workspace runs one at a time: no lock is needed. */
export async function findTerms(
  { em, workspaceId }: CommandTransaction,
  contractId: string,
): Promise<InferEntity<typeof ContractTermsTable> | null> {
  return isId(contractId) ? await em.findOne(ContractTermsTable, { workspaceId, contractId }) : null;
}
