import type { EntityManager } from '@mikro-orm/postgresql';
import { INBOX_FACTOR, inBatches, SKIPPING } from '@payroll/store';
import { sql } from 'kysely';

/**
 * Drops events that every consumer confirmed long ago, and later still the notes that an event was applied: an event that
 * could be delivered again is unconfirmed in its outbox, or younger than a stream keeps (7 days). Postgres refuses to let
 * go of those (`kept`).
 */
export async function forgetEvents(em: EntityManager, days: number): Promise<number> {
  const confirmed = await inBatches((limit) =>
    sql`
      delete from outbox_event where id in (
        select id from outbox_event
        where due_at is null and recorded_at < now() - make_interval(days => ${days}) ${limit} ${SKIPPING})
    `.execute(em.getKysely()),
  );
  const applied = await inBatches((limit) =>
    sql`
      delete from inbox_event where event_id in (
        select event_id from inbox_event where applied_at < now() - make_interval(days => ${INBOX_FACTOR * days})
        order by applied_at ${limit})
    `.execute(em.getKysely()),
  );
  return confirmed + applied;
}
