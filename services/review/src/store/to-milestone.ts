import { toInstant } from '@payroll/kernel';
import { part } from '@payroll/store';
import type { Milestone } from '../domain/milestone.js';
import { versionOf } from '../domain/version.js';

/** A row of the table, by either way of reading it. */
export type MilestoneRow = Omit<Milestone, 'amount' | 'version'> & {
  revision: number;
  currency: string;
  amount: string;
};

/** Columns of `milestone` under the names of a `MilestoneRow`. */
export const MILESTONE_COLUMNS = part`
  milestone.id, milestone.contract_id as "contractId", milestone.revision, milestone.title,
  milestone.description, milestone.status, milestone.currency, milestone.amount,
  milestone.due_date as "dueDate", milestone.payment_date as "paymentDate",
  milestone.rejection_reason as "rejectionReason", milestone.payment_id as "paymentId",
  milestone.sort_order as "sortOrder", milestone.created_at as "createdAt", milestone.updated_at as "updatedAt"`;

export function toMilestone(row: MilestoneRow): Milestone {
  return {
    id: row.id,
    contractId: row.contractId,
    title: row.title,
    description: row.description,
    status: row.status,
    amount: { amount: row.amount, currency: row.currency },
    dueDate: row.dueDate,
    paymentDate: row.paymentDate,
    rejectionReason: row.rejectionReason,
    paymentId: row.paymentId,
    sortOrder: row.sortOrder,
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
    version: versionOf(row.id, row.revision),
  };
}
