import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/**
 * Drops counters whose window is long over: whoever fails from ever new addresses must not fill the table. Those that
 * a request is using right now are left for the next time, so that nobody waits and no two wait for each other.
 */
export async function forgetCounters(em: EntityManager): Promise<void> {
  await sql`
    delete from rate_counter where subject in (
      select subject from rate_counter where window_started_at < now() - interval '10 min'
      for update skip locked)`.execute(em.getKysely());
}
