import { Money } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { PaymentTable } from '../store/tables.js';
import type { PaymentEntity } from './find-payment.js';
import { tellPayment } from './move-payment.js';

type Approved = Pick<
  PaymentEntity,
  'id' | 'contractId' | 'sourceType' | 'sourceId' | 'currency' | 'gross' | 'scheduledDate' | 'autoPayEnabled'
>;

/**
 * An approval arrived: its payment comes into being, under the id the approval minted. The inbox keeps it from happening
 * twice, the table's unique source is the last defence.
 */
export function createPayment(tx: CommandTransaction, approved: Approved): void {
  const gross = Money.stored(approved.gross, approved.currency).amount;
  const payment = tx.em.create(PaymentTable, {
    ...approved,
    gross,
    workspaceId: tx.workspaceId,
    status: 'pending',
    sequence: 1,
    net: gross,
    processedAt: null,
    completedAt: null,
    failureReason: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  tx.em.persist(payment);
  const { sourceType, sourceId, currency } = approved;
  tx.audit('payment.created', payment.id, { sourceType, sourceId, gross: { amount: gross, currency } });
  tellPayment(tx, payment);
}
