import type { EntityManager } from '@mikro-orm/postgresql';
import type { Bus } from '@payroll/bus';
import type { ServiceName } from '@payroll/kernel';
import { metrics, onScrape } from '@payroll/telemetry';
import { sql } from 'kysely';
import { streamManager, streamOf } from './stream.js';

/** Has the outbox and the dead letters counted at each scrape: by two small indexes, whose tables may be large. */
export function observeOutbox(em: EntityManager): Disposable {
  return onScrape({
    name: 'outbox',
    read: async () => {
      const { unconfirmed, oldestSeconds, buried } = await readOutbox(em);
      metrics.outboxDue.set({}, unconfirmed);
      metrics.outboxOldest.set({}, oldestSeconds);
      metrics.deadLetters.set({}, buried);
    },
    sets: [metrics.outboxDue, metrics.outboxOldest, metrics.deadLetters],
  });
}

interface OutboxFacts {
  unconfirmed: number;
  oldestSeconds: number;
  buried: number;
}

async function readOutbox(em: EntityManager): Promise<OutboxFacts> {
  const { rows } = await sql<OutboxFacts>`
    select count(*)::int as unconfirmed,
      coalesce(extract(epoch from clock_timestamp() - min(recorded_at)), 0)::float8 as "oldestSeconds",
      (select count(*)::int from dead_letter) as buried
    from outbox_event where due_at is not null`.execute(em.getKysely());
  return rows[0]!;
}

/** Has NATS asked at each scrape how far the service is behind a publisher. */
export function observeConsumer(bus: Bus, publisher: ServiceName, service: ServiceName): Disposable {
  return onScrape({
    name: `consumer-${publisher}`,
    read: async () => {
      if (!bus.connection) throw new Error('NATS cannot be reached');
      const manager = await streamManager(bus.connection);
      const { num_pending: waiting, num_ack_pending: taken } = await manager.consumers.info(
        streamOf(publisher),
        service,
      );
      metrics.consumerPending.set({ publisher }, waiting + taken);
    },
    sets: [metrics.consumerPending],
  });
}
