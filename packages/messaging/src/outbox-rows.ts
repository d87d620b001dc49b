import type { EntityManager } from '@mikro-orm/postgresql';
import {
  as,
  columns,
  HISTORY,
  INBOX_FACTOR,
  inBatches,
  OutboxEventTable,
  read,
  SKIPPING,
  sql,
  write,
  type Claimed,
  type DomainEvent,
  type Sql,
} from '@payroll/store';
import { sql as kysely } from 'kysely';

// The outbox for the relay. Each function is one statement outside a transaction: no row is locked during network calls.

/** A consumer that is there and has nothing left to take from the stream, with the history of its database. */
export interface Idle {
  consumer: string;
  history: string;
}

/** 10 s, then 20, then 30: whatever got lost on the way, all has arrived well within a minute of an outage. */
const LEASE = sql`clock_timestamp() + least(interval '10 s' * power(2, least(attempt, 2)), interval '30 s')`;

/** Takes events that were never published, except those that another process is taking right now. */
export async function claimNew(em: EntityManager, limit: number): Promise<Claimed[]> {
  return await claim(
    em,
    sql`select id from outbox_event where due_at <= clock_timestamp() and attempt = 0
      order by recorded_at limit ${limit} for update skip locked`,
  );
}

/** For consumers that can use them: who is behind has them in the stream, who is in another history would drop them. */
export async function claimAgain(em: EntityManager, idle: readonly Idle[], limit: number): Promise<Claimed[]> {
  return await claim(
    em,
    sql`select id from outbox_event where due_at <= clock_timestamp() and attempt > 0 and awaiting && (
        select array_agg(consumer)
        from unnest(${idle.map((each) => each.consumer)}::text[], ${idle.map((each) => each.history)}::text[])
          as idle (consumer, history)
        where history = ${HISTORY})
      order by due_at limit ${limit} for update skip locked`,
  );
}

async function claim(em: EntityManager, ids: Sql): Promise<Claimed[]> {
  const rows = await read(
    em,
    sql`update outbox_event set attempt = attempt + 1, due_at = ${LEASE} where id in (${ids})
      returning ${columns(OutboxEventTable, 'body', 'attempt', 'traceparent')}, ${as('history', 'text', HISTORY)}`,
  );
  // `returning` promises no order.
  const key = ({ event }: Claimed): string => `${event.occurredAt} ${event.id}`;
  return rows
    .map(({ body, traceparent = null, ...claim }) => ({ ...claim, traceparent, event: body as DomainEvent }))
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Due again in a second. The attempt does not count: should the event have arrived, the next has its message id. */
export async function giveBack(em: EntityManager, claimed: readonly Claimed[]): Promise<void> {
  await write(
    em,
    sql`update outbox_event set attempt = greatest(attempt - 1, 0), due_at = clock_timestamp() + interval '1 s'
      where id = any(${claimed.map(({ event }) => event.id)}::uuid[]) and due_at is not null`,
  );
}

/** Makes all unconfirmed events due: the stream lost its content, or the history of a consumer has changed. */
export async function offerAgain(em: EntityManager): Promise<void> {
  await inBatches((limit) =>
    kysely`
      update outbox_event set due_at = now() where id in (
        select id from outbox_event where due_at > now() ${limit} ${SKIPPING})`.execute(em.getKysely()),
  );
}

export interface Receipt extends Idle {
  eventId: string;
}

/** What was applied in another history does not count. Rows are locked in id order: all processes do this at once. */
export async function strikeOut(em: EntityManager, receipts: readonly Receipt[]): Promise<void> {
  await write(
    em,
    sql`with receipt as (
        select event_id, array_agg(consumer) as consumers
        from unnest(${receipts.map((r) => r.eventId)}::uuid[], ${receipts.map((r) => r.consumer)}::text[],
          ${receipts.map((r) => r.history)}::text[]) as r (event_id, consumer, history)
        where history = ${HISTORY}
        group by event_id
      ), held as (
        select id, consumers from outbox_event join receipt on id = event_id
        where due_at is not null order by id for update of outbox_event
      )
      update outbox_event o
      set awaiting = array(select unnest(o.awaiting) except select unnest(held.consumers)),
          due_at = case when o.awaiting <@ held.consumers then null else o.due_at end
      from held where o.id = held.id`,
  );
}

/**
 * Events confirmed long ago, and later inbox rows. Postgres refuses to delete any that could arrive again (`kept`); a dead
 * letter can be put back at any time, so the note that its event was applied by another way stays until it is settled.
 */
export async function forgetEvents(em: EntityManager, days: number): Promise<number> {
  const confirmed = await inBatches((limit) =>
    kysely`
      delete from outbox_event where id in (
        select id from outbox_event
        where due_at is null and recorded_at < now() - make_interval(days => ${days}) ${limit} ${SKIPPING})
    `.execute(em.getKysely()),
  );
  const applied = await inBatches((limit) =>
    kysely`
      delete from inbox_event where event_id in (
        select event_id from inbox_event where applied_at < now() - make_interval(days => ${INBOX_FACTOR * days})
          and not exists (
            select from dead_letter letter where letter.event_id = inbox_event.event_id and letter.state <> 'applied')
        order by applied_at ${limit})
    `.execute(em.getKysely()),
  );
  return confirmed + applied;
}
