import { toInstant, type Instant } from '@payroll/kernel';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/**
 * Moves the workspace's clock and holds its row until commit. Every command does this first, so the writes of one
 * workspace commit in the order of the times they carry: a poller that follows `updatedSince` misses nothing.
 */
export async function moveChangeClock(em: EntityManager, workspaceId: string): Promise<Instant> {
  const { rows } = await sql<{ last: string }>`
    insert into change_clock (workspace_id, last) values (${workspaceId}, clock_timestamp())
    on conflict (workspace_id) do update
      set last = greatest(clock_timestamp(), change_clock.last + interval '1 microsecond')
    returning last`.execute(em.getKysely());
  return toInstant(rows[0]!.last);
}
