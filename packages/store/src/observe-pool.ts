import type { EntityManager } from '@mikro-orm/postgresql';
import { metrics, onScrape } from '@payroll/telemetry';

/** Has the connections to Postgres counted at each scrape: a pool that is used up looks like a slow database. */
export function observePool(em: EntityManager): Disposable {
  return onScrape({
    name: 'database-pool',
    read: async () => {
      const pool = await em.getConnection().getNativeClient();
      metrics.databaseConnections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      metrics.databaseConnections.set({ state: 'idle' }, pool.idleCount);
      metrics.databaseWaiting.set({}, pool.waitingCount);
    },
    sets: [metrics.databaseConnections, metrics.databaseWaiting],
  });
}
