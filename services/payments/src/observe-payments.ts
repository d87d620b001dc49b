import type { EntityManager } from '@mikro-orm/postgresql';
import { metrics, onScrape } from '@payroll/telemetry';
import { sql } from 'kysely';
import { PAYOUT_ALARMS } from './domain/payout.js';

const UNSETTLED = ['pending', 'processing', 'failed'] as const;

/**
 * Has the payments that are not settled, and the payouts that wait for a person, counted at each scrape. Settled ones only
 * grow: their events are counted.
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
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from payment
    where status in ('pending', 'processing', 'failed') group by status`.execute(em.getKysely());
  return new Map(rows.map(({ status, count }) => [status, count]));
}

async function countAlarms(em: EntityManager): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ alarm: string; count: number }>`
    select alarm, count(*)::int as count from payout_attempt
    where status in ('prepared', 'submitted') and alarm is not null group by alarm`.execute(em.getKysely());
  return new Map(rows.map(({ alarm, count }) => [alarm, count]));
}
