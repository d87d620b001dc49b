import type { EntityManager } from '@mikro-orm/postgresql';
import type { Calendar } from '@payroll/service';
import { as, read, sql } from '@payroll/store';
import { shortfalls, upcomingWeeks, WEEKS_AHEAD } from '../domain/upcoming.js';

/**
 * A workspace's upcoming payments by week and currency, and the shortfall of its balance. Payments that failed for lack of funds
 * count as due today. One statement, so that all amounts are of the same moment, and at most a row per day and currency.
 */
export async function readUpcoming(em: EntityManager, calendar: Calendar, workspaceId: string) {
  const today = sql`((clock_timestamp() at time zone 'UTC')::date + ${calendar.of(workspaceId)})`;
  const horizon = sql`(${today} + ${WEEKS_AHEAD * 7}::int)`;
  const owed = sql`
    select currency, greatest(coalesce(scheduled_date, ${today}), ${today}) as day, net from payment
      where workspace_id = ${workspaceId} and status = 'pending'
    union all
    select currency, ${today}, net from payment
      where workspace_id = ${workspaceId} and status = 'failed' and failure_reason = 'insufficient_funds'`;
  const rows = await read(
    em,
    sql`select ${as('currency', 'text', sql`days.currency`)}, ${as('day', 'text?', sql`days.day`)},
        ${as('amount', 'text', sql`days.amount`)}, ${as('payments', 'int', sql`days.payments`)},
        ${as('available', 'text?', sql`account.balance`)}
      from (
        select currency, case when day <= ${horizon} then day end as day, sum(net) as amount, count(*) as payments
        from (${owed}) owed group by 1, 2
      ) days
      left join ledger_account account on account.workspace_id = ${workspaceId} and account.account = 'available'
        and account.currency = days.currency
      order by days.day nulls last, days.currency`,
  );
  const available = new Map(rows.map((row) => [row.currency, row.available ?? '0']));
  return { weeks: upcomingWeeks(rows), shortfalls: shortfalls(rows, available) };
}
