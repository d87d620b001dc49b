import type { EntityManager } from '@mikro-orm/postgresql';
import { metrics, onScrape } from '@payroll/telemetry';
import { sql } from 'kysely';

const UNSETTLED = ['pending', 'processing', 'failed'] as const;

/** Has the payments that are not settled counted at each scrape. Those that are only grow: their events are counted. */
export function observePayments(em: EntityManager): Disposable {
  return onScrape({
    name: 'payments',
    read: async () => {
      const counts = await countUnsettled(em);
      for (const status of UNSETTLED) metrics.unsettledPayments.set({ status }, counts.get(status) ?? 0);
    },
    sets: [metrics.unsettledPayments],
  });
}

async function countUnsettled(em: EntityManager): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from payment
    where status in ('pending', 'processing', 'failed') group by status`.execute(em.getKysely());
  return new Map(rows.map(({ status, count }) => [status, count]));
}
