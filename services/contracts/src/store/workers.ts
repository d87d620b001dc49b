import type { EntityManager } from '@mikro-orm/postgresql';
import { readWorkerQuestion, type WorkerAnswer, type WorkerProfileAnswer } from '@payroll/events';
import { computed, columns, defineView, list, read, sql, type Page } from '@payroll/store';
import type { Worker } from '../domain/worker.js';
import { patternOf } from './search.js';
import { WorkerTable } from './tables.js';

export const workers = defineView({
  list: 'workers',
  table: WorkerTable,
  columns: columns(WorkerTable, 'id', 'revision', 'name', 'email', 'createdAt', 'updatedAt'),
  toNode: ({ id, revision, name, email, createdAt }): Worker => ({ id, revision, name, email, createdAt }),
});

export interface WorkerFilters {
  search?: string | null;
  /** The columns that the reader may search. */
  searched: readonly ('name' | 'email')[];
  oldestFirst?: boolean;
  limit: number;
  cursor?: string | null;
}

export async function listWorkers(
  em: EntityManager,
  workspaceId: string,
  { search, searched, ...page }: WorkerFilters,
): Promise<Page<Worker>> {
  const filters = { of: 'workers', ...(search && { search }) };
  const pattern = search ? patternOf(search) : '';
  const hasEmail = searched.includes('email') ? sql`email ilike ${pattern}` : sql`false`;
  const hasName = searched.includes('name') ? sql`name ilike ${pattern}` : sql`false`;
  const conditions = [search && sql`(${hasName} or ${hasEmail})`];
  return await list(em, workers, { ...page, workspaceId, filters, conditions });
}

export async function answerWorker(em: EntityManager, body: unknown): Promise<WorkerAnswer> {
  const { workspaceId, workerId } = readWorkerQuestion(body);
  const exists = sql`exists (select from worker where workspace_id = ${workspaceId} and id = ${workerId})`;
  const [answer] = await read(em, sql`select ${computed('isKnown', 'boolean', exists)}`);
  return answer!;
}

export async function answerWorkerProfile(em: EntityManager, body: unknown): Promise<WorkerProfileAnswer> {
  const { workspaceId, workerId } = readWorkerQuestion(body);
  const hasSigned = sql`exists (select from contract c
    where c.workspace_id = worker.workspace_id and c.worker_id = worker.id and c.worker_signed_at is not null)`;
  const [answer] = await read(
    em,
    sql`select ${columns(WorkerTable, 'name', 'email')}, ${computed('hasSigned', 'boolean', hasSigned)}
      from worker where workspace_id = ${workspaceId} and id = ${workerId}`,
  );
  return answer ?? null;
}
