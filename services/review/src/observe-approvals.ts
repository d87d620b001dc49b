import type { EntityManager } from '@mikro-orm/postgresql';
import { ask, type PaymentsQuestion, PAYMENTS_QUESTION } from '@payroll/events';
import type { ServiceDependencies } from '@payroll/service';
import { computed, read, sql } from '@payroll/store';
import { metrics, onScrape } from '@payroll/runtime';

/** Payment ids per message: about 160 KB. */
const PAGE = 2_000;
/** Per scrape: half a second, and 500,000 approvals in three minutes of scrapes. */
const PAGES = 20;
/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000';

type WatchDependencies = Pick<ServiceDependencies, 'em' | 'bus'>;

/** Checks at scrapes that every approval has its payment, as `reconcile` does over both services' tables. */
export function observeApprovals(parts: WatchDependencies): Disposable {
  let sweep = START;
  return onScrape({
    name: 'approvals',
    read: async () => {
      sweep = await sweepOn(parts, sweep);
      metrics.approvalsWithoutPayment.set({}, Math.max(sweep.counted, sweep.inLast));
    },
    sets: [metrics.approvalsWithoutPayment],
  });
}

/** Where a sweep over all approvals stands whose payment has not begun. */
interface Sweep {
  /** The payment id that was asked about last. */
  after: string;
  /** Missing payments so far. */
  counted: number;
  /** Missing payments of the sweep before. */
  inLast: number;
}

const START: Sweep = { after: NIL, counted: 0, inLast: 0 };

/**
 * Asks payments, because a confirmed event does not prove that the payment exists. Not about everything at once: all
 * timesheets wait for their payday here, and a scrape that takes too long shows no number.
 */
async function sweepOn({ em, bus }: WatchDependencies, sweep: Sweep): Promise<Sweep> {
  let { after, counted } = sweep;
  for (let n = 0; n < PAGES; n++) {
    const page = await notBegun(em, after);
    if (page.paymentIds.length > 0) {
      const { missing } = await ask(bus, PAYMENTS_QUESTION, page);
      counted += missing;
    }
    if (page.paymentIds.length < PAGE) return { ...START, inLast: counted };
    after = page.paymentIds.at(-1)!;
  }
  return { ...sweep, after, counted };
}

/** Work approved more than five minutes ago, by payment id. No event updates the work before its payment begins. */
async function notBegun(em: EntityManager, after: string): Promise<PaymentsQuestion> {
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
