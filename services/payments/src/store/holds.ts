import { sql, type Sql } from '@payroll/store';

/**
 * Whether an unclaimed order may have paid for work of this worker. The worker may have been lost in a restore as
 * well; then the destination decides. While the worker is unknown here, any order may have.
 */
export function mayHavePaid(workerId: Sql, payoutMethod: Sql, destination: Sql): Sql {
  return sql`(unclaimed_order.status = 'open'
    and (${workerId} is null or unclaimed_order.worker_id = ${workerId}
      or (unclaimed_order.payout_method = ${payoutMethod}
        and ${withoutSpaces(sql`unclaimed_order.destination`)} = ${withoutSpaces(destination)})))`;
}

/** An IBAN is written in groups of four, or in one piece. */
function withoutSpaces(destination: Sql): Sql {
  return sql`regexp_replace(${destination}, '\\s', '', 'g')`;
}
