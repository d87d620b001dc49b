import type { EntityManager } from '@mikro-orm/postgresql';
import type { WorkerActor } from '@payroll/kernel';
import type { Calendar } from '@payroll/service';
import { as, columns, read, sql } from '@payroll/store';
import { openHold } from '../store/holds.js';
import { PayeeTable } from '../store/tables.js';

/** The worker's own payout details, the account masked; null before they entered any. */
export async function findMyPayee(em: EntityManager, calendar: Calendar, { workspaceId, workerId }: WorkerActor) {
  const [row] = await read(
    em,
    sql`select ${columns(PayeeTable, 'holder', 'payoutMethod', 'verificationStatus', 'stoppedAt')},
        ${as('destinationEnding', 'text', sql`right(regexp_replace(payee.destination, '\\s', '', 'g'), 4)`)},
        ${as('heldUntil', 'timestamptz?', openHold(calendar))},
        ${as('version', 'timestamptz', sql`payee.updated_at`)}
      from payee where payee.workspace_id = ${workspaceId} and payee.worker_id = ${workerId}`,
  );
  return row ?? null;
}
