import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** A payment that could be processed, and whether what decides over it has been heard of. */
export interface PaymentToProcess {
  workspaceId: string;
  id: string;
  contractId: string;
  contractKnown: boolean;
  businessKnown: boolean;
}

export interface DuePayment extends PaymentToProcess {
  /** Its place in the order of days; `-infinity` when it is due at once. */
  day: string;
}

/** Pending payments of every workspace that pay themselves and are due by Postgres' clock, after a place in their order. */
export async function duePayments(
  em: EntityManager,
  after: DuePayment | undefined,
  limit: number,
): Promise<DuePayment[]> {
  const day = sql`coalesce(payment.scheduled_date, '-infinity'::date)`;
  const beyond = after ? sql`and (${day}, payment.id) > (${after.day}::date, ${after.id}::uuid)` : sql``;
  const { rows } = await sql<DuePayment>`
    select ${KNOWLEDGE}, ${day}::text as day
    ${FROM}
    where payment.status = 'pending' and payment.auto_pay_enabled and ${day} <= (clock_timestamp() at time zone 'UTC')::date ${beyond}
    order by ${day}, payment.id limit ${limit}`.execute(em.getKysely());
  return rows;
}

export async function paymentToProcess(
  em: EntityManager,
  workspaceId: string,
  id: string,
): Promise<PaymentToProcess | null> {
  const { rows } = await sql<PaymentToProcess>`
    select ${KNOWLEDGE} ${FROM}
    where payment.workspace_id = ${workspaceId} and payment.id = ${id}`.execute(em.getKysely());
  return rows[0] ?? null;
}

const KNOWLEDGE = sql`payment.workspace_id as "workspaceId", payment.id, payment.contract_id as "contractId",
  contract_worker.contract_id is not null as "contractKnown", business.workspace_id is not null as "businessKnown"`;

const FROM = sql`from payment
  left join contract_worker
    on contract_worker.workspace_id = payment.workspace_id and contract_worker.contract_id = payment.contract_id
  left join business on business.workspace_id = payment.workspace_id`;
