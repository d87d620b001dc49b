import ipaddr from 'ipaddr.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import { fixedText, read, sql, rawSql, write } from '@payroll/store';
import { type Counter, BatchPositions, type CounterPosition } from '../domain/counter-position.js';

type CounterTable = 'rate_counter' | 'sign_in_counter';

/**
 * SQL that adds the demand of a CTE `(subject, wanted)` to counters whose window starts with the first request, and
 * returns the counters. Locks rows in key order, so that batches never deadlock.
 */
export function countInto(demand: string, table: CounterTable = 'rate_counter', window = '60 s'): string {
  const isOver = `c.window_started_at <= now() - interval '${window}'`;
  return `
    insert into ${table} as c (subject, window_started_at, used)
    select subject, now(), wanted from ${demand} order by subject
    on conflict (subject) do update set
      used = case when ${isOver} then 0 else least(c.used, 1000000) end + excluded.used,
      window_started_at = case when ${isOver} then now() else c.window_started_at end
    returning subject, used, ceil(extract(epoch from window_started_at + interval '${window}' - now()))::int as reset`;
}

const count = fixedText(
  (demand: string) => sql`with demand as (
     select 'failed/' || address as subject, wanted from json_to_recordset(${demand}) as d (address text, wanted int)
   ) ${rawSql<Counter>(countInto('demand'))}`,
);

/** Counts failed authentications by address; returns the position of each in its window. */
export async function countFailures<Question extends { clientAddress: string }>(
  em: EntityManager,
  failed: readonly Question[],
): Promise<Map<Question, CounterPosition>> {
  if (failed.length === 0) return new Map();
  const networkFor = ({ clientAddress }: Question): string => networkOf(clientAddress);
  const demand = [...Map.groupBy(failed, networkFor)].map(([address, { length: wanted }]) => ({ address, wanted }));
  const line = new BatchPositions(await read(em, count(JSON.stringify(demand))));
  return new Map(failed.toReversed().map((question) => [question, line.placeFailure(networkFor(question))]));
}

/**
 * Deletes counters twice as old as the longest window; skips those in use, so that jobs do not wait for each other.
 */
export async function deleteExpiredCounters(em: EntityManager, table: CounterTable = 'rate_counter'): Promise<void> {
  const name = rawSql(table);
  await write(
    em,
    sql`delete from ${name} where subject in (
      select subject from ${name} where window_started_at < now() - interval '10 min' for update skip locked)`,
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
