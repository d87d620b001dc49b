import { toInstant } from '@payroll/kernel';
import { part } from '@payroll/store';
import type { Contract } from '../domain/contract.js';
import { inOrder } from '../domain/draft.js';

/** A row of the table, by either way of reading it, with its worker's name beside it. */
export type ContractRow = Omit<Contract, 'worker'> & { workerId: string | null; workerName: string | null };

/**
 * Columns of `contract` under the names of a `ContractRow`. No join for the worker's name: a page's order is kept without
 * sorting, whatever the planner thinks of the workers.
 */
export const CONTRACT_COLUMNS = part`
  contract.id, contract.title, contract.employment_type as "employmentType",
  contract.contract_type as "contractType", contract.status, contract.worker_id as "workerId",
  contract.start_date as "startDate", contract.end_date as "endDate", contract.created_at as "createdAt",
  contract.updated_at as "updatedAt", contract.deleted_at as "deletedAt", contract.creator,
  (select name from worker where worker.workspace_id = contract.workspace_id and worker.id = contract.worker_id) as "workerName"`;

export function toContract(row: ContractRow): Contract {
  return {
    id: row.id,
    title: row.title,
    employmentType: row.employmentType,
    contractType: row.contractType,
    status: row.status,
    worker: { id: row.workerId, name: row.workerName },
    startDate: row.startDate,
    endDate: row.endDate,
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
    deletedAt: row.deletedAt === null ? null : toInstant(row.deletedAt),
    creator: row.creator && { ...row.creator, deliverables: inOrder(row.creator.deliverables) },
  };
}
