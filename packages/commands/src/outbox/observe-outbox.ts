import type { EntityManager } from '@mikro-orm/postgresql';
import type { ServiceName } from '@payroll/kernel';
import { finding, type Finding, metrics, onScrape } from '@payroll/runtime';
import { as, read, sql } from '@payroll/store';

/** A consumer that was away for so long deserves a person's attention. */
const OLDEST_SECONDS = 300;

/** By consumer. Reads only rows that wait. */
async function readWaiting(em: EntityManager) {
  return await read(
    em,
    sql`select ${as('consumer', 'text', sql`consumer`)}, ${as('events', 'int', sql`count(*)`)},
        ${as('oldestSeconds', 'int', sql`extract(epoch from clock_timestamp() - min(recorded_at))`)}
      from outbox_delivery group by consumer order by consumer`,
  );
}

async function countDeadLetters(em: EntityManager): Promise<number> {
  const open = sql`select count(*) from dead_letter where state in ('waiting', 'put_back')`;
  const [row] = await read(em, sql`select ${as('letters', 'int', open)}`);
  return row!.letters;
}

export function observeOutbox(em: EntityManager, consumers: readonly ServiceName[]): Disposable {
  return onScrape({
    name: 'outbox',
    read: async () => {
      const [waiting, letters] = await Promise.all([readWaiting(em), countDeadLetters(em)]);
      for (const consumer of consumers) {
        const { events = 0, oldestSeconds = 0 } = waiting.find((each) => each.consumer === consumer) ?? {};
        metrics.outboxWaiting.set({ consumer }, events);
        metrics.outboxOldest.set({ consumer }, oldestSeconds);
      }
      metrics.deadLetters.set({}, letters);
    },
    sets: [metrics.outboxWaiting, metrics.outboxOldest, metrics.deadLetters],
  });
}

/** The same for `doctor`: whether a service's events arrive, and whether it gave up on any of others. */
export async function lookAtOutbox(em: EntityManager, service: string): Promise<Finding[]> {
  const [waiting, letters] = await Promise.all([readWaiting(em), countDeadLetters(em)]);
  const late = waiting.filter(({ oldestSeconds }) => oldestSeconds >= OLDEST_SECONDS);
  return [
    finding(
      `the consumers of ${service} confirm its events`,
      late.length === 0,
      late
        .map(
          ({ consumer, events, oldestSeconds }) =>
            `${events} events wait for ${consumer}, the oldest for ${oldestSeconds} s`,
        )
        .join('; '),
      `look at ${late.map(({ consumer }) => consumer).join(' and ')}: whether it runs, reaches NATS, and what its log says`,
    ),
    finding(
      `${service} has no dead letter that waits for a person`,
      letters === 0,
      `${letters} dead letters`,
      'npm run dead-letters lists them; docs/runbook.md says what to do (DeadLetters)',
    ),
  ];
}
