import ipaddr from 'ipaddr.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared } from '@payroll/store';
import { sql } from 'kysely';
import { type Counter, Line, type Standing } from '../domain/standing.js';

/**
 * Counts what a CTE `(subject, wanted)` asks for, a minute from the first request on, and tells how the counters stand.
 * Rows are taken in the order of their keys: batches that share some wait for each other, never in a circle.
 */
export function countInto(demand: string): string {
  return `
    insert into rate_counter as c (subject, window_started_at, used)
    select subject, now(), wanted from ${demand} order by subject
    on conflict (subject) do update set
      used = case when c.window_started_at <= now() - interval '60 s' then 0 else least(c.used, 1000000) end + excluded.used,
      window_started_at = case when c.window_started_at <= now() - interval '60 s' then now() else c.window_started_at end
    returning subject, used, ceil(extract(epoch from window_started_at + interval '60 s' - now()))::int as reset`;
}

const count = prepared<Counter>(
  'count-failures',
  `with demand as (
     select 'failed/' || address as subject, wanted from json_to_recordset($1) as d (address text, wanted int)
   ) ${countInto('demand')}`,
);

/** Counts failed authentications by their addresses; says where each stands in the window of its address. */
export async function countFailures<Question extends { clientAddress: string }>(
  em: EntityManager,
  failed: readonly Question[],
): Promise<Map<Question, Standing>> {
  if (failed.length === 0) return new Map();
  const wanted = new Map<string, number>();
  const networks = new Map(failed.map((question) => [question, networkOf(question.clientAddress)]));
  for (const network of networks.values()) wanted.set(network, (wanted.get(network) ?? 0) + 1);
  const demand = [...wanted].map(([address, times]) => ({ address, wanted: times }));
  const line = new Line(await count(em, JSON.stringify(demand)));
  return new Map(failed.toReversed().map((question) => [question, line.placeFailure(networks.get(question)!)]));
}

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

/** As many bits of an IPv6 address as one network has, whose host may take any of 2^64 addresses (RFC 4291 §2.5.4). */
const NETWORK_BITS = 64;

/**
 * What an address is counted as, wherever there is a limit for addresses: itself, or the /64 network of IPv6. An IPv4
 * address that came by an IPv6 socket is the IPv4 address. What is none is counted as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().slice(0, NETWORK_BITS / 8);
  return `${Buffer.from(bytes).toString('hex')}/${NETWORK_BITS}`;
}
