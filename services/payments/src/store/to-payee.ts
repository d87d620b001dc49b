import { toInstant } from '@payroll/kernel';
import { part } from '@payroll/store';
import { destinationEnding, type Payee } from '../domain/payee.js';

/** A row of the table, by either way of reading it. */
export type PayeeRow = Omit<Payee, 'destinationEnding' | 'version'> & { destination: string };

/** Columns of `payee` under the names of a `PayeeRow`. */
export const PAYEE_COLUMNS = part`
  payee.id, payee.worker_id as "workerId", payee.payout_method as "payoutMethod", payee.destination,
  payee.verification_status as "verificationStatus", payee.rejection_reason as "rejectionReason",
  payee.changed_by as "changedBy", payee.verified_by as "verifiedBy",
  payee.created_at as "createdAt", payee.updated_at as "updatedAt"`;

export function toPayee(row: PayeeRow): Payee {
  return {
    id: row.id,
    workerId: row.workerId,
    payoutMethod: row.payoutMethod,
    destinationEnding: destinationEnding(row.destination),
    verificationStatus: row.verificationStatus,
    rejectionReason: row.rejectionReason,
    // Every change moves it, and in a workspace no two have the same.
    version: toInstant(row.updatedAt),
    changedBy: row.changedBy,
    verifiedBy: row.verifiedBy,
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}
