import type { EntityManager } from '@mikro-orm/postgresql';
import type { WorkerActor } from '@payroll/kernel';
import { as, columns, read, sql } from '@payroll/store';
import { PayeeTable } from '../store/tables.js';

/** The worker's own payout details, the account masked; null before they entered any. */
export async function findMyPayee(em: EntityManager, { workspaceId, workerId }: WorkerActor) {
  const [row] = await read(
    em,
    sql`select ${columns(PayeeTable, 'holder', 'payoutMethod', 'verificationStatus')},
        ${as('destinationEnding', 'text', sql`right(regexp_replace(payee.destination, '\\s', '', 'g'), 4)`)},
        ${as('version', 'timestamptz', sql`payee.updated_at`)}
      from payee where payee.workspace_id = ${workspaceId} and payee.worker_id = ${workerId}`,
  );
  return row ?? null;
}
