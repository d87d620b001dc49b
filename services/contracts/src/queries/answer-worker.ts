import type { EntityManager } from '@mikro-orm/postgresql';
import { readWorkerQuestion, type WorkerAnswer } from '@payroll/events';
import { sql } from 'kysely';

/** Whether the workspace that is asked about has such a worker. */
export async function answerWorker(em: EntityManager, body: unknown): Promise<WorkerAnswer> {
  const { workspaceId, workerId } = readWorkerQuestion(body);
  const { rows } = await sql<WorkerAnswer>`
    select exists (select from worker where workspace_id = ${workspaceId} and id = ${workerId}) as "isKnown"`.execute(
    em.getKysely(),
  );
  return rows[0]!;
}
