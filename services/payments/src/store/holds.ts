import type { Calendar } from '@payroll/service';
import { columnOf, GENERATION, sql, type Sql } from '@payroll/store';
import { PayeeTable } from './tables.js';

/**
 * Whether an unclaimed order may have paid for work of this worker. The worker may have been lost in a restore as
 * well; then the destination decides. While the worker is unknown here, any order may have.
 */
export function mayHavePaid(workerId: Sql, destination: Sql): Sql {
  return sql`(unclaimed_order.status = 'open'
    and (${workerId} is null or unclaimed_order.worker_id = ${workerId}
      or ${comparable(sql`unclaimed_order.destination`)} = ${comparable(destination)}))`;
}

/** The worker of `payment` and where they are paid, if known. */
export const WITH_PAYEE = sql`left join contract_worker on contract_worker.workspace_id = payment.workspace_id
    and contract_worker.contract_id = payment.contract_id
  left join payee on payee.workspace_id = payment.workspace_id and payee.worker_id = contract_worker.worker_id`;

/**
 * Whether an unclaimed order of other work may have paid for the work of `payment`. Needs `WITH_PAYEE`. If its own work
 * has such an order, the payment takes that over, and is not held.
 */
export const IS_HELD_BY_ORDER = sql`(
  exists (
    select from unclaimed_order where unclaimed_order.workspace_id = payment.workspace_id
      and ${mayHavePaid(sql`contract_worker.worker_id`, sql`payee.destination`)})
  and not exists (
    select from unclaimed_order where unclaimed_order.workspace_id = payment.workspace_id
      and unclaimed_order.status = 'open'
      and (unclaimed_order.source_type, unclaimed_order.source_id) = (payment.source_type, payment.source_id)))`;

/** Whether `payment` waits for two people of finance, or because its worker has details that are not paid to yet. */
export function isHeld(calendar: Calendar): Sql {
  return sql`exists (
    select from (select) as one
    ${WITH_PAYEE}
    where payee.held_until > ${nowOf(calendar)} or ${IS_HELD_BY_ORDER})`;
}

/** Until when nothing is paid to the details of `payee`; null if they are not on hold. */
export function openHold(calendar: Calendar): Sql {
  return sql`case when payee.held_until > ${nowOf(calendar)} then payee.held_until end`;
}

/** By the calendar of the workspace of `payee`. */
export function nowOf(calendar: Calendar): Sql {
  return sql`(clock_timestamp() + make_interval(days => ${calendar.of(columnOf(PayeeTable, 'workspaceId'))}))`;
}

/** An IBAN may be typed in groups and in small letters. Other accounts that look the same then are held too, which harms little. */
function comparable(destination: Sql): Sql {
  return sql`upper(regexp_replace(${destination}, '[\\s-]', '', 'g'))`;
}

/**
 * Whether the provider's orders have been compared with the attempts in this database generation. A payout begins
 * only then, and the deciding statement itself checks it: a connection may be in another generation than the previous
 * one.
 */
export const IS_COMPARED = sql`exists (
  select from order_check where checked_at is not null and generation = ${GENERATION})`;
