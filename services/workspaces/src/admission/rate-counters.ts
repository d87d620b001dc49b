import ipaddr from 'ipaddr.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inBatches, rawSql, SKIP_LOCKED, sql } from '@payroll/store';

/** A counter after it was incremented: the requests in its window, and the seconds until that ends. */
export interface Counter {
  subject: string;
  used: number;
  reset: number;
}

type CounterTable = 'rate_counter' | 'sign_in_counter';

/**
 * SQL that adds the demand of a CTE `(subject, wanted)` to counters whose window starts with the first request, and
 * returns the counters (`Counter`). Locks rows in key order, so that batches never deadlock. A window that started while
 * the batch waited for the counter's row seems longer than a window, and one that is ending may seem to end at once.
 */
export function countInto(demand: string, table: CounterTable = 'rate_counter', window = '60 s'): string {
  const isOver = `c.window_started_at <= now() - interval '${window}'`;
  return `
    insert into ${table} as c (subject, window_started_at, used)
    select subject, now(), wanted from ${demand} order by subject
    on conflict (subject) do update set
      used = case when ${isOver} then 0 else least(c.used, 1000000) end + excluded.used,
      window_started_at = case when ${isOver} then now() else c.window_started_at end
    returning subject, used, ceil(extract(epoch from
      greatest(interval '1 s', least(interval '${window}', window_started_at + interval '${window}' - now()))))::int as reset`;
}

/**
 * Deletes counters twice as old as the longest window; skips those in use, so that jobs do not wait for each other.
 */
export async function deleteExpiredCounters(em: EntityManager, table: CounterTable = 'rate_counter'): Promise<void> {
  const name = rawSql(table);
  await inBatches(
    em,
    (limit) => sql`delete from ${name} where subject in (
      select subject from ${name} where window_started_at < now() - interval '10 min' ${limit} ${SKIP_LOCKED})`,
  );
}

/** The network part of an IPv6 address: a host may use any of its 2^64 addresses (RFC 4291 §2.5.4). */
const NETWORK_BITS = 64;

/**
 * The subject an address counts as: IPv4 (even through an IPv6 socket) as itself, IPv6 as its /64 network, any other
 * text as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().slice(0, NETWORK_BITS / 8);
  return `${Buffer.from(bytes).toString('hex')}/${NETWORK_BITS}`;
}
