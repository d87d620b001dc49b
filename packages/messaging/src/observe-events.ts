import type { EntityManager } from '@mikro-orm/postgresql';
import type { Bus } from '@payroll/bus';
import type { ServiceName } from '@payroll/kernel';
import { finding, type Finding } from '@payroll/process';
import { as, read, sql } from '@payroll/store';
import { metrics, onScrape } from '@payroll/telemetry';
import { streamManager, streamOf } from './streams.js';

/** A consumer that was away for so long deserves a person's attention. */
const OLDEST_SECONDS = 300;

/** Uses two small indexes: the tables may be large. */
async function readOutbox(em: EntityManager) {
  const [row] = await read(
    em,
    sql`select ${as('unconfirmed', 'int', sql`count(*)`)},
        ${as('oldestSeconds', 'int', sql`coalesce(extract(epoch from clock_timestamp() - min(recorded_at)), 0)`)},
        ${as('buried', 'int', sql`select count(*) from dead_letter where state in ('waiting', 'put_back')`)}
      from outbox_event where due_at is not null`,
  );
  return row!;
}

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

/** The same for `doctor`: whether a service's events arrive, and whether it gave up on any of others. */
export async function lookAtOutbox(em: EntityManager, service: string): Promise<Finding[]> {
  const { unconfirmed, oldestSeconds, buried } = await readOutbox(em);
  return [
    finding(
      `what ${service} tells others arrives`,
      oldestSeconds < OLDEST_SECONDS,
      `${unconfirmed} events wait, the oldest for ${Math.round(oldestSeconds)} s`,
      `see in ${service}.outbox_event who is awaited, and look at that service`,
    ),
    finding(
      `${service} has no dead letter that waits for a person`,
      buried === 0,
      `${buried} dead letters`,
      'npm run dead-letters lists them; docs/runbook.md says what to do (DeadLetters)',
    ),
  ];
}

/** Asks NATS at each scrape how far the service is behind a publisher. */
export function observeConsumer(bus: Bus, publisher: ServiceName, service: ServiceName): Disposable {
  return onScrape({
    name: `consumer-${publisher}`,
    read: async () => {
      if (!bus.connection) throw new Error('NATS cannot be reached');
      const { consumers } = await streamManager(bus.connection);
      const { num_pending, num_ack_pending } = await consumers.info(streamOf(publisher), service);
      metrics.consumerPending.set({ publisher }, num_pending + num_ack_pending);
    },
    sets: [metrics.consumerPending],
  });
}
