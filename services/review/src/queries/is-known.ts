import type { EntityManager } from '@mikro-orm/postgresql';
import { readWorkQuestion, type WorkAnswer } from '@payroll/events';
import { as, GENERATION, read, sql, verbatim } from '@payroll/store';

/** Whether the workspace has the work, in any status. */
export async function answerWork(em: EntityManager, body: unknown): Promise<WorkAnswer> {
  const { workspaceId, kind, id } = readWorkQuestion(body);
  const exists = sql`exists (select from ${verbatim(kind)} where workspace_id = ${workspaceId} and id = ${id})`;
  const [answer] = await read(
    em,
    sql`select ${as('isKnown', 'boolean', exists)}, ${as('generation', 'text', GENERATION)}`,
  );
  return answer!;
}
