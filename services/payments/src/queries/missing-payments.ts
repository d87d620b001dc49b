import type { EntityManager } from '@mikro-orm/postgresql';
import { readPaymentsQuestion, type PaymentsAnswer } from '@payroll/events';
import { as, read, sql } from '@payroll/store';

/** Spans workspaces, because review checks the approvals of all of them at once. */
export async function answerMissing(em: EntityManager, body: unknown): Promise<PaymentsAnswer> {
  const { workspaceIds, paymentIds } = readPaymentsQuestion(body);
  const [row] = await read(
    em,
    sql`select ${as('missing', 'int', sql`count(*)`)}
      from unnest(${workspaceIds}::uuid[], ${paymentIds}::uuid[]) as asked (workspace_id, id)
      where not exists (
        select from payment where payment.workspace_id = asked.workspace_id and payment.id = asked.id)`,
  );
  return row!;
}
