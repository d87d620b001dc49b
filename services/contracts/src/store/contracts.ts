import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor, ContractStatus, ContractType } from '@payroll/kernel';
import { computed, columns, defineView, list, sql, type Page, type Sql, type TableRow } from '@payroll/store';
import { inOrder } from '../domain/draft.js';
import { changeTerms } from '../domain/terms.js';
import { patternOf, requireStorable } from './search.js';
import { ContractTable } from './tables.js';

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

export interface ContractFilters {
  status?: ContractStatus | null;
  updatedSince?: string | null;
  includeDeleted?: boolean | null;
  /** Matches only contracts of the principal that set the reference (public-api.md §4). */
  externalReference?: string | null;
  contractType?: ContractType | null;
  workerId?: string | null;
  search?: string | null;
  /** The columns that the reader may search. */
  searched: readonly ('title' | 'workerName' | 'externalReference')[];
  oldestFirst?: boolean;
  limit: number;
  cursor?: string | null;
}

export async function listContracts(
  em: EntityManager,
  { workspaceId, principalId }: Actor,
  { status, includeDeleted, externalReference, contractType, workerId, search, searched, ...page }: ContractFilters,
): Promise<Page<Contract>> {
  if (externalReference) requireStorable('externalReference', externalReference, 128);
  const isOwn = sql`created_by_principal = ${principalId} and external_reference = ${externalReference}`;
  return list(em, contracts, {
    ...page,
    workspaceId,
    where: { status, ...(contractType && { contractType }), ...(workerId && { workerId }) },
    filters: {
      includeDeleted: includeDeleted ?? false,
      externalReference,
      ...(externalReference && { principalId }),
      ...(search && { search }),
    },
    conditions: [
      !includeDeleted && sql`deleted_at is null`,
      externalReference && isOwn,
      search && isFound(workspaceId, patternOf(search), searched),
    ],
  });
}

/**
 * Uses no index: scans in the list's order until the page is full. With no match, 100,000 contracts take about 0.2 s.
 */
function isFound(workspaceId: string, pattern: string, searched: ContractFilters['searched']): Sql {
  const isIn = (field: (typeof searched)[number], has: Sql): Sql => (searched.includes(field) ? has : sql`false`);
  const worker = sql`worker_id in (
    select id from worker where worker.workspace_id = ${workspaceId} and worker.name ilike ${pattern})`;
  return sql`(${isIn('title', sql`title ilike ${pattern}`)} or ${isIn('workerName', worker)}
    or ${isIn('externalReference', sql`external_reference ilike ${pattern}`)})`;
}

/** Contract fields that its readers do not see and lists leave out. For internal teams. */
export const contractDetails = { table: ContractTable, columns: columns(ContractTable), toNode: toDetails };

/** The columns from which a contract's text and its completion problems are derived. */
export const agreedContracts = {
  table: ContractTable,
  columns: sql`${columns(ContractTable)}, ${computed('workerName', 'text?', workerName)}`,
  toNode: (row: TableRow<typeof ContractTable> & { workerName: string | null }) => row,
};

export type AgreedContract = ReturnType<typeof agreedContracts.toNode>;

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
