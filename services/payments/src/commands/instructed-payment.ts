import type { CommandTransaction } from '@payroll/store';
import type { PaymentInstructed } from '../domain/instruction.js';
import { ContractWorkerTable, PayeeTable } from '../store/tables.js';
import type { PaymentEntity } from './find-payment.js';

/** What a person puts their name to when they pay this payment as it is now. */
export async function instructedPayment(
  { em, workspaceId }: CommandTransaction,
  kind: PaymentInstructed['kind'],
  { id: paymentId, contractId, net, currency }: PaymentEntity,
): Promise<PaymentInstructed> {
  const workerId = (await em.findOne(ContractWorkerTable, { workspaceId, contractId }))?.workerId;
  const payee = workerId ? await em.findOne(PayeeTable, { workspaceId, workerId }) : null;
  return {
    kind,
    paymentId,
    amount: { amount: net, currency },
    payee: payee && { id: payee.id, updatedAt: payee.updatedAt },
  };
}
