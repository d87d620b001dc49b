import { computed, columns, defineView, sql, type TableRow } from '@payroll/store';
import { inOrder } from '../domain/draft.js';
import { changeTerms } from '../domain/terms.js';
import { ContractTable, WorkerTable } from './tables.js';
import type { Worker } from '../domain/worker.js';

const ofContract = columns(
  ContractTable,
  'id',
  'revision',
  'title',
  'employmentType',
  'contractType',
  'status',
  'workerId',
  'startDate',
  'endDate',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'creator',
);

// A scalar subquery, not a join: with a join the planner may choose a plan that has to sort the page.
const workerName = sql`
  select name from worker where worker.workspace_id = contract.workspace_id and worker.id = contract.worker_id`;
const shown = sql`${ofContract}, ${computed('workerName', 'text?', workerName)}`;

export type Contract = ReturnType<typeof toContract>;

export function toContract(row: typeof shown.row) {
  return {
    id: row.id,
    revision: row.revision,
    title: row.title,
    employmentType: row.employmentType,
    contractType: row.contractType,
    status: row.status,
    worker: { id: row.workerId, name: row.workerName },
    startDate: row.startDate,
    endDate: row.endDate,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    deletedAt: row.deletedAt,
    creator: row.creator && { ...row.creator, deliverables: inOrder(row.creator.deliverables) },
  };
}

export const contracts = defineView({
  list: 'contracts',
  table: ContractTable,
  columns: shown,
  toNode: toContract,
});

/** Contract fields that its readers do not see and lists leave out. For internal teams. */
export const contractDetails = { table: ContractTable, columns: columns(ContractTable), toNode: toDetails };

function toDetails({ draft, ...row }: TableRow<typeof ContractTable>) {
  return {
    ...draft,
    ...row,
    milestones: inOrder(withPlaces(draft.milestones)),
    creatorDeliverables: inOrder(withPlaces(draft.creatorDeliverables ?? [])),
    terms: changeTerms(row, {}),
  };
}

function withPlaces<Item>(items: readonly Item[]): (Item & { place: number })[] {
  return items.map((each, place) => ({ ...each, place }));
}

/** The columns from which a contract's text and its completion problems are derived. */
export const agreedContracts = {
  table: ContractTable,
  columns: sql`${columns(ContractTable)}, ${computed('workerName', 'text?', workerName)}`,
  toNode: (row: TableRow<typeof ContractTable> & { workerName: string | null }) => row,
};

export type AgreedContract = ReturnType<typeof agreedContracts.toNode>;

export const workers = defineView({
  list: 'workers',
  table: WorkerTable,
  columns: columns(WorkerTable, 'id', 'revision', 'name', 'email', 'createdAt', 'updatedAt'),
  toNode: ({ id, revision, name, email, createdAt }): Worker => ({ id, revision, name, email, createdAt }),
});
