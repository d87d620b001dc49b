import type { EntityManager } from '@mikro-orm/postgresql';
import { readWorkerQuestion, type WorkerAnswer } from '@payroll/events';
import { as, columns, defineView, read, sql } from '@payroll/store';
import type { Worker } from '../domain/worker.js';
import { WorkerTable } from './tables.js';

export const workers = defineView({
  list: 'workers',
  table: WorkerTable,
  columns: columns(WorkerTable, 'id', 'name', 'email', 'createdAt', 'updatedAt'),
  toNode: ({ id, name, email }): Worker => ({ id, name, email }),
});

export async function answerWorker(em: EntityManager, body: unknown): Promise<WorkerAnswer> {
  const { workspaceId, workerId } = readWorkerQuestion(body);
  const exists = sql`exists (select from worker where workspace_id = ${workspaceId} and id = ${workerId})`;
  const [answer] = await read(em, sql`select ${as('isKnown', 'boolean', exists)}`);
  return answer!;
}
