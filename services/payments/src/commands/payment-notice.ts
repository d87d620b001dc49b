import { newEvent } from '@payroll/events';
import type { FailureReason } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { ContractWorkerTable } from '../store/tables.js';
import type { PaymentRow } from './payment.js';

/** Failures that the worker can put right. The others are the employer's, whose balance is not for workers to know. */
const THE_WORKERS: ReadonlySet<FailureReason | null> = new Set([
  'payee_missing',
  'payee_unverified',
  'provider_declined',
]);

/** Mails the worker that they were paid, or people that a payment failed. @returns the payment */
export async function tellOutcome(tx: CommandTransaction, payment: PaymentRow): Promise<PaymentRow> {
  const { id: aboutId, contractId, status, failureReason } = payment;
  const workerId = (await tx.find(ContractWorkerTable, { contractId }))?.workerId ?? null;
  const tell = (kind: 'paid' | 'payout_details_needed' | 'payment_failed'): void =>
    tx.emit(newEvent('notice.payment', aboutId, { kind, aboutId, workerId }));
  if (status === 'failed') tell('payment_failed');
  if (workerId === null) return payment;
  if (status === 'completed') tell('paid');
  if (status === 'failed' && THE_WORKERS.has(failureReason)) tell('payout_details_needed');
  return payment;
}
