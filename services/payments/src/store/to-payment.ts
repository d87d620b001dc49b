import { toInstant, type PaymentSource } from '@payroll/kernel';
import { part } from '@payroll/store';
import type { Payment } from '../domain/payment.js';

/** A row of the table, by either way of reading it. */
export type PaymentRow = Omit<Payment, 'timesheetId' | 'milestoneId' | 'grossAmount' | 'netAmount'> & {
  sourceType: PaymentSource;
  sourceId: string;
  currency: string;
  gross: string;
  net: string;
};

/** Columns of `payment` under the names of a `PaymentRow`. */
export const PAYMENT_COLUMNS = part`
  payment.id, payment.contract_id as "contractId", payment.source_type as "sourceType",
  payment.source_id as "sourceId", payment.status, payment.currency, payment.gross, payment.net,
  payment.scheduled_date as "scheduledDate", payment.processed_at as "processedAt",
  payment.completed_at as "completedAt", payment.failure_reason as "failureReason",
  payment.created_at as "createdAt", payment.updated_at as "updatedAt"`;

export function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    contractId: row.contractId,
    timesheetId: row.sourceType === 'timesheet' ? row.sourceId : null,
    milestoneId: row.sourceType === 'milestone' ? row.sourceId : null,
    status: row.status,
    grossAmount: { amount: row.gross, currency: row.currency },
    netAmount: { amount: row.net, currency: row.currency },
    scheduledDate: row.scheduledDate,
    processedAt: row.processedAt === null ? null : toInstant(row.processedAt),
    completedAt: row.completedAt === null ? null : toInstant(row.completedAt),
    failureReason: row.failureReason,
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}
