import type { EntityManager } from '@mikro-orm/postgresql';
import { type PaymentsAnswer, type PaymentsQuestion, PAYMENTS_QUESTION } from '@payroll/events';
import type { ServiceDependencies } from '@payroll/service';
import { computed, read, sql } from '@payroll/store';
import { metrics, onScrape } from '@payroll/runtime';

/** Payment ids per message: about 160 KB. */
const PAGE = 2_000;
/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000';

type WatchDependencies = Pick<ServiceDependencies, 'em' | 'bus'>;

/** Checks at each scrape that every approval has its payment, as `reconcile` does over both services' tables. */
export function observeApprovals(parts: WatchDependencies): Disposable {
  return onScrape({
    name: 'approvals',
    read: async () => {
      metrics.approvalsWithoutPayment.set({}, await countWithoutPayment(parts));
    },
    sets: [metrics.approvalsWithoutPayment],
  });
}

/**
 * Counts among approvals whose payment has not begun. Asks payments, because a confirmed event does not prove that
 * the payment exists.
 */
async function countWithoutPayment({ em, bus }: WatchDependencies): Promise<number> {
  let count = 0;
  let page: PaymentsQuestion = { workspaceIds: [], paymentIds: [] };
  do {
    page = await notBegun(em, page.paymentIds.at(-1));
    if (page.paymentIds.length === 0) break;
    const { missing } = (await bus.request(PAYMENTS_QUESTION, page)) as PaymentsAnswer;
    count += missing;
  } while (page.paymentIds.length === PAGE);
  return count;
}

/** Work approved more than five minutes ago, by payment id. No event updates the work before its payment begins. */
async function notBegun(em: EntityManager, after = NIL): Promise<PaymentsQuestion> {
  const rest = sql`payment_id > ${after}::uuid and updated_at < clock_timestamp() - interval '5 minutes'`;
  const first = sql`order by payment_id limit ${PAGE}`;
  const rows = await read(
    em,
    sql`select ${computed('workspaceId', 'uuid', sql`workspace_id`)}, ${computed('paymentId', 'uuid', sql`payment_id`)} from (
        (select workspace_id, payment_id from timesheet where payment_status = 'pending' and ${rest} ${first})
        union all
        (select workspace_id, payment_id from milestone where status = 'approved' and ${rest} ${first})
      ) as work ${first}`,
  );
  return { workspaceIds: rows.map((row) => row.workspaceId), paymentIds: rows.map((row) => row.paymentId) };
}
