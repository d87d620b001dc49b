import type { EntityManager } from '@mikro-orm/postgresql';
import { as, columns, read, sql } from '@payroll/store';
import { metrics, onScrape } from '@payroll/telemetry';
import { PAYOUT_ALARMS } from './domain/payout.js';
import { PayoutAttemptTable } from './store/money-tables.js';
import { PaymentTable } from './store/tables.js';

const UNSETTLED = ['pending', 'processing', 'failed'] as const;

/**
 * Counts payments that are not settled, and payouts that wait for a person, at each scrape. The number of settled ones
 * only grows: their events are counted.
 */
export function observePayments(em: EntityManager): Disposable {
  return onScrape({
    name: 'payments',
    read: async () => {
      const counts = await countUnsettled(em);
      for (const status of UNSETTLED) metrics.unsettledPayments.set({ status }, counts.get(status) ?? 0);
      const alarms = await countAlarms(em);
      for (const alarm of PAYOUT_ALARMS) metrics.payoutAlarms.set({ alarm }, alarms.get(alarm) ?? 0);
    },
    sets: [metrics.unsettledPayments, metrics.payoutAlarms],
  });
}

async function countUnsettled(em: EntityManager): Promise<ReadonlyMap<string, number>> {
  const rows = await read(
    em,
    sql`select ${columns(PaymentTable, 'status')}, ${as('count', 'int', sql`count(*)`)} from payment
      where status in ('pending', 'processing', 'failed') group by status`,
  );
  return new Map(rows.map(({ status, count }) => [status, count]));
}

async function countAlarms(em: EntityManager): Promise<ReadonlyMap<string | null, number>> {
  const rows = await read(
    em,
    sql`select ${columns(PayoutAttemptTable, 'alarm')}, ${as('count', 'int', sql`count(*)`)} from payout_attempt
      where status in ('prepared', 'submitted') and alarm is not null group by alarm`,
  );
  return new Map(rows.map(({ alarm, count }) => [alarm, count]));
}
