import type { EntityManager } from '@mikro-orm/postgresql';
import { notSetAside } from '@payroll/service';
import { sql } from 'kysely';

/** The runner's name. */
export const DUE_PAYMENTS = 'due-payments';

export interface DuePayment {
  workspaceId: string;
  id: string;
  /** Its place in the order of days; `-infinity` when it is due at once. */
  day: string;
}

/** Pending payments of every workspace that pay themselves and are due by Postgres' clock, after a place in their order. */
export async function duePayments(
  em: EntityManager,
  after: DuePayment | undefined,
  limit: number,
): Promise<DuePayment[]> {
  const day = sql`coalesce(scheduled_date, '-infinity'::date)`;
  const beyond = after ? sql`and (${day}, id) > (${after.day}::date, ${after.id}::uuid)` : sql``;
  const { rows } = await sql<DuePayment>`
    select workspace_id as "workspaceId", id, ${day}::text as day from payment
    where status = 'pending' and auto_pay_enabled and ${day} <= (clock_timestamp() at time zone 'UTC')::date ${beyond}
      and ${notSetAside(DUE_PAYMENTS, 'payment')}
    order by ${day}, id limit ${limit}`.execute(em.getKysely());
  return rows;
}
