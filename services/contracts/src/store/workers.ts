import type { EntityManager } from '@mikro-orm/postgresql';
import { readWorkerQuestion, type WorkerAnswer } from '@payroll/events';
import { as, columns, defineView, list, read, sql, type Page } from '@payroll/store';
import type { Worker } from '../domain/worker.js';
import { patternOf } from './search.js';
import { WorkerTable } from './tables.js';

export const workers = defineView({
  list: 'workers',
  table: WorkerTable,
  columns: columns(WorkerTable, 'id', 'revision', 'name', 'email', 'createdAt', 'updatedAt'),
  toNode: ({ id, revision, name, email }): Worker => ({ id, revision, name, email }),
});

export interface WorkerFilters {
  search?: string | null;
  limit: number;
  cursor?: string | null;
}

export async function listWorkers(
  em: EntityManager,
  workspaceId: string,
  { search, ...page }: WorkerFilters,
): Promise<Page<Worker>> {
  const filters = { of: 'workers', ...(search && { search }) };
  const pattern = search ? patternOf(search) : '';
  const conditions = [search && sql`(name ilike ${pattern} or email ilike ${pattern})`];
  return await list(em, workers, { ...page, workspaceId, filters, conditions });
}

export async function answerWorker(em: EntityManager, body: unknown): Promise<WorkerAnswer> {
  const { workspaceId, workerId } = readWorkerQuestion(body);
  const exists = sql`exists (select from worker where workspace_id = ${workspaceId} and id = ${workerId})`;
  const [answer] = await read(em, sql`select ${as('isKnown', 'boolean', exists)}`);
  return answer!;
}
