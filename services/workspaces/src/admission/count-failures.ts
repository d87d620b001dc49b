import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Standing } from '../domain/admission.js';

/** Counts failed authentications by their addresses; says where each stands in the window of its address. */
export async function countFailures(em: EntityManager, addresses: readonly string[]): Promise<Standing[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<{ subject: string; used: number; wanted: number; reset: number }>`
    with demand as (
      select 'failed/' || address as subject, count(*)::int as wanted
      from unnest(${[...addresses]}::text[]) as address group by 1
    ), use as (
      insert into rate_counter as c (subject, window_started_at, used)
      select subject, now(), wanted from demand order by subject
      on conflict (subject) do update set
        used = case when c.window_started_at <= now() - interval '60 s' then 0 else least(c.used, 1000000) end + excluded.used,
        window_started_at = case when c.window_started_at <= now() - interval '60 s' then now() else c.window_started_at end
      returning subject, used, window_started_at
    )
    select subject, used, wanted,
      ceil(extract(epoch from window_started_at + interval '60 s' - now()))::int as reset
    from demand join use using (subject)`.execute(em.getKysely());
  const lines = new Map(rows.map(({ subject, used, wanted, reset }) => [subject, { next: used - wanted + 1, reset }]));
  return addresses.map((address) => {
    const line = lines.get(`failed/${address}`)!;
    return { name: 'failed', position: line.next++, resetSeconds: Math.max(1, line.reset) };
  });
}
