import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentsQuestion, PayoutChangeQuestion } from '@payroll/events';
import { Calendar, type ServiceDependencies } from '@payroll/service';
import { computed, columns, read, sql } from '@payroll/store';
import { stopChange } from '../commands/payees.js';
import { stateOfChange } from '../domain/payee.js';
import { nowOf } from '../store/holds.js';
import { PayeeTable } from '../store/tables.js';

/**
 * Answers the page of a stop link. First applies the stop if its event is still on the way, so that the answer to a person who
 * has pressed the button is final.
 */
export async function answerPayoutChange(
  { em, learn, deployment }: Pick<ServiceDependencies, 'em' | 'learn' | 'deployment'>,
  { workspaceId, changeId }: PayoutChangeQuestion,
) {
  await learn({ 'payout-change.stopped': stopChange(deployment) }, { workspaceId, aboutId: changeId });
  const [row] = await read(
    em,
    sql`select ${columns(PayeeTable, 'changeId', 'heldUntil', 'stoppedAt')},
        ${computed('now', 'timestamptz', nowOf(new Calendar({ deployment })))}
      from payee where payee.workspace_id = ${workspaceId} and payee.change_id = ${changeId}`,
  );
  return { state: row ? stateOfChange(row, changeId, row.now) : 'over' };
}

/** Spans workspaces, because review checks the approvals of all of them at once. */
export async function answerMissing(em: EntityManager, { workspaceIds, paymentIds }: PaymentsQuestion) {
  const [row] = await read(
    em,
    sql`select ${computed('missing', 'int', sql`count(*)`)}
      from unnest(${workspaceIds}::uuid[], ${paymentIds}::uuid[]) as asked (workspace_id, id)
      where not exists (
        select from payment where payment.workspace_id = asked.workspace_id and payment.id = asked.id)`,
  );
  return row!;
}
