import { LockMode, type InferEntity } from '@mikro-orm/core';
import { isId, notFound } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { followPayee, type PayeeEdge } from '../domain/payee.js';
import { PayeeTable } from '../store/tables.js';

export type PayeeEntity = InferEntity<typeof PayeeTable>;

/** The payee, locked until commit. */
export async function findPayee({ em, workspaceId }: CommandTransaction, id: string): Promise<PayeeEntity> {
  const payee = isId(id)
    ? await em.findOne(PayeeTable, { workspaceId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!payee) throw notFound('The payee');
  return payee;
}

/** Follows an edge of the payee's machine. */
export function movePayee(tx: CommandTransaction, payee: PayeeEntity, edge: PayeeEdge, reason: string | null): void {
  payee.verificationStatus = followPayee(payee.verificationStatus, edge);
  payee.rejectionReason = reason;
  payee.updatedAt = tx.now;
}
