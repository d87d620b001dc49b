import type { EntityManager } from '@mikro-orm/postgresql';
import { as, read, sql } from '@payroll/store';
import { metrics, onScrape } from '@payroll/telemetry';

/**
 * Counts approvals whose payment payments has not reported for five minutes: its first event sets the sequence to 1. Until then
 * nothing changes an approved piece of work, so `updated_at` is when it was approved.
 */
async function countWithoutPayment(em: EntityManager): Promise<number> {
  const overdue = sql`payment_id is not null and payment_sequence = 0
    and updated_at < clock_timestamp() - interval '5 minutes'`;
  const [row] = await read(
    em,
    sql`select ${as(
      'approvals',
      'int',
      sql`(select count(*) from timesheet where ${overdue}) + (select count(*) from milestone where ${overdue})`,
    )}`,
  );
  return row!.approvals;
}

/** Watches the promise that an acknowledged approval is paid, as `reconcile` checks it over both services' tables. */
export function observeApprovals(em: EntityManager): Disposable {
  return onScrape({
    name: 'approvals',
    read: async () => {
      metrics.approvalsWithoutPayment.set({}, await countWithoutPayment(em));
    },
    sets: [metrics.approvalsWithoutPayment],
  });
}
