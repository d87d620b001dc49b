import type { EntityManager } from '@mikro-orm/postgresql';
import type { ServiceName } from '@payroll/kernel';
import { checkResult, type CheckResult, metrics, onScrape } from '@payroll/runtime';
import { computed, read, sql } from '@payroll/store';

/** The age of an unconfirmed event after which `doctor` reports the consumer. */
const OLDEST_SECONDS = 300;

/** By consumer. Reads only unconfirmed deliveries. */
async function readWaiting(em: EntityManager) {
  return await read(
    em,
    sql`select ${computed('consumer', 'text', sql`consumer`)}, ${computed('events', 'int', sql`count(*)`)},
        ${computed('oldestSeconds', 'int', sql`extract(epoch from clock_timestamp() - min(recorded_at))`)}
      from outbox_delivery group by consumer order by consumer`,
  );
}

async function countDeadLetters(em: EntityManager): Promise<number> {
  const open = sql`select count(*) from dead_letter where state in ('waiting', 'put_back')`;
  const [row] = await read(em, sql`select ${computed('letters', 'int', open)}`);
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

/** The checks of `doctor`: whether a service's events are confirmed, and whether it has dead letters. */
export async function checkOutbox(em: EntityManager, service: string): Promise<CheckResult[]> {
  const [waiting, letters] = await Promise.all([readWaiting(em), countDeadLetters(em)]);
  const late = waiting.filter(({ oldestSeconds }) => oldestSeconds >= OLDEST_SECONDS);
  return [
    checkResult(
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
    checkResult(
      `${service} has no dead letter that waits for a person`,
      letters === 0,
      `${letters} dead letters`,
      'npm run dead-letters lists them; docs/runbook.md says what to do (DeadLetters)',
    ),
  ];
}
