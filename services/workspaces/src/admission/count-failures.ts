import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** Counts failed authentications of addresses; says for each how many there were in its window and when that ends. */
export async function countFailures(
  em: EntityManager,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, { failures: number; resetSeconds: number }>> {
  if (addresses.length === 0) return new Map();
  const { rows } = await sql<{ subject: string; used: number; reset: number }>`
    insert into rate_counter as c (subject, window_started_at, used)
    select 'failed/' || address, now(), count(*)::int from unnest(${[...addresses]}::text[]) as address
    group by 1 order by 1
    on conflict (subject) do update set
      used = case when c.window_started_at <= now() - interval '60 s' then 0 else least(c.used, 1000000) end + excluded.used,
      window_started_at = case when c.window_started_at <= now() - interval '60 s' then now() else c.window_started_at end
    returning subject, used,
      ceil(extract(epoch from window_started_at + interval '60 s' - now()))::int as reset`.execute(em.getKysely());
  return new Map(
    rows.map(({ subject, used, reset }) => [
      subject.slice('failed/'.length),
      { failures: used, resetSeconds: Math.max(1, reset) },
    ]),
  );
}
