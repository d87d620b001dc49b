import type { EntityManager } from '@mikro-orm/postgresql';
import { type Actor, type ContractStatus, type ContractType, throwIfInvalid, textProblem } from '@payroll/kernel';
import { list, sql, type Page, type Paging, type Sql } from '@payroll/store';
import { type Contract, contracts, workers } from '../store/views.js';
import type { Worker } from '../domain/worker.js';

interface ContractFilters extends Paging {
  status?: ContractStatus | null;
  includeDeleted?: boolean | null;
  /** Matches only contracts of the principal that set the reference (public-api.md §4). */
  externalReference?: string | null;
  contractType?: ContractType | null;
  workerId?: string | null;
  search?: string | null;
  /** The columns that the reader may search. */
  searched: readonly ('title' | 'workerName' | 'externalReference')[];
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
 * Uses no index: scans in the list's order until the page is full. With no match, 100,000 contracts take about 0.2 s,
 * and about 1 s where all have accents.
 */
function isFound(workspaceId: string, pattern: Sql, searched: ContractFilters['searched']): Sql {
  const isIn = (field: (typeof searched)[number], has: Sql): Sql => (searched.includes(field) ? has : sql`false`);
  const worker = sql`worker_id in (
    select id from worker where worker.workspace_id = ${workspaceId} and ${matches(sql`worker.name`, pattern)})`;
  return sql`(${isIn('title', matches(sql`title`, pattern))} or ${isIn('workerName', worker)}
    or ${isIn('externalReference', matches(sql`external_reference`, pattern))})`;
}

interface WorkerFilters extends Paging {
  search?: string | null;
  /** The columns that the reader may search. */
  searched: readonly ('name' | 'email')[];
}

export async function listWorkers(
  em: EntityManager,
  workspaceId: string,
  { search, searched, ...page }: WorkerFilters,
): Promise<Page<Worker>> {
  const filters = { of: 'workers', ...(search && { search }) };
  const conditions = [search && isWorker(patternOf(search), searched)];
  return await list(em, workers, { ...page, workspaceId, filters, conditions });
}

function isWorker(pattern: Sql, searched: WorkerFilters['searched']): Sql {
  const hasName = searched.includes('name') ? matches(sql`name`, pattern) : sql`false`;
  const hasEmail = searched.includes('email') ? matches(sql`email`, pattern) : sql`false`;
  return sql`(${hasName} or ${hasEmail})`;
}

/**
 * An `ilike` pattern that matches the search text anywhere, literally.
 * @throws DomainError `VALIDATION_FAILED` for a search that no stored text can contain.
 */
function patternOf(search: string): Sql {
  const typed = search.trim();
  requireStorable('search', typed, 200);
  const pattern = `%${typed.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // A query of its own, because Postgres evaluates that once and not for each row.
  return sql`(select ${withoutAccents(sql`${pattern}::text`)})`;
}

/** Whether the text matches, ignoring case and accents. */
function matches(text: Sql, pattern: Sql): Sql {
  const isAscii = sql`octet_length(${text}) = length(${text})`;
  return sql`case when ${isAscii} then ${text} else ${withoutAccents(text)} end ilike ${pattern}`;
}

/** Unicode takes an accent off a letter, but not the stroke of an ł. */
function withoutAccents(text: Sql): Sql {
  return sql`translate(regexp_replace(normalize(${text}, nfd), '[\\u0300-\\u036f]', '', 'g'), 'łŁøØđĐħĦı', 'lLoOdDhHi')`;
}

/** @throws DomainError `VALIDATION_FAILED` for a text that no row can contain, which Postgres would not compare. */
function requireStorable(path: string, text: string, maxLength: number): void {
  const code = textProblem(text, 1, maxLength);
  throwIfInvalid(code === null ? [] : [{ path, code }], `${path} must have 1 to ${maxLength} characters.`);
}
