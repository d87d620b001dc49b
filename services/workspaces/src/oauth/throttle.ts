import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { networkOf } from '../admission/rate-counters.js';

/**
 * Strangers cost us rows, fetches and look-ups: so many a minute for each address. `authorize` are people's browsers, and
 * `token` failures of clients alone.
 */
const PER_MINUTE = { register: 20, metadata: 30, authorize: 120, token: 120 } as const;

/**
 * Counts one more of these from an address; says in how many seconds the next one may come, or null if this one may.
 * The window is that of the other counters, which are dropped together.
 */
export async function countStranger(
  em: EntityManager,
  kind: keyof typeof PER_MINUTE,
  clientAddress: string,
): Promise<number | null> {
  const { rows } = await sql<{ used: number; reset: number }>`
    insert into rate_counter as c (subject, window_started_at, used) values (${`${kind}/${networkOf(clientAddress)}`}, now(), 1)
    on conflict (subject) do update set
      used = case when c.window_started_at <= now() - interval '60 s' then 1 else least(c.used, 1000000) + 1 end,
      window_started_at = case when c.window_started_at <= now() - interval '60 s' then now() else c.window_started_at end
    returning used, ceil(extract(epoch from window_started_at + interval '60 s' - now()))::int as reset`.execute(
    em.getKysely(),
  );
  const { used, reset } = rows[0]!;
  return used > PER_MINUTE[kind] ? Math.max(1, reset) : null;
}

/** The body of a 429 for programs, as OAuth's errors are. */
export function tooManyRequests(waitSeconds: number): { error: string; error_description: string } {
  return { error: 'too_many_requests', error_description: `Try again in ${waitSeconds} s.` };
}
