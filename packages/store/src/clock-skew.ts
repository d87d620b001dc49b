import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** By how many seconds Postgres' clock is ahead of this machine's; as good as the way there is short. */
export async function clockSkewSeconds(em: EntityManager): Promise<number> {
  const askedAt = Date.now();
  const { rows } = await sql<{ at: number }>`
    select extract(epoch from clock_timestamp())::float * 1000 as at`.execute(em.getKysely());
  const answeredAt = Date.now();
  return (rows[0]!.at - (askedAt + answeredAt) / 2) / 1_000;
}
