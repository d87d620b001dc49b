import type { EntityManager } from '@mikro-orm/postgresql';
import { HISTORY, inBatches, SKIPPING, type DomainEvent, type HeardEvent } from '@payroll/store';
import { sql, type RawBuilder } from 'kysely';

// The outbox as the relay sees it. Each function is one statement, in no transaction: nothing waits on the network
// while a row is locked.

/** An event taken for publishing. Its lease is `due_at`: it is due again should its receipts not come in time. */
export interface Claimed {
  event: DomainEvent;
  /** How often it has been published, this time included. */
  attempt: number;
  /** In which the database says so. */
  history: string;
  /** The step of a trace that emitted it. */
  traceparent: string | null;
}

/** A consumer that is there and has nothing left to take from the stream, in the history that it finds its database in. */
export interface Idle {
  consumer: string;
  history: string;
}

/** 10 s, doubling with every attempt, at most a minute. */
const LEASE = sql`clock_timestamp() + least(interval '10 s' * power(2, least(attempt, 10)), interval '1 min')`;

/** Takes events that were never published. Those that another process is just taking are left to it. */
export async function claimNew(em: EntityManager, limit: number): Promise<Claimed[]> {
  return await claim(
    em,
    sql`id in (
      select id from outbox_event where due_at <= clock_timestamp() and attempt = 0
      order by recorded_at limit ${limit} for update skip locked)`,
  );
}

/**
 * Takes events that were published and not confirmed in time, for those who can make use of them: a consumer that is away,
 * or behind, finds them in the stream, and one that is in another history of the database would drop them.
 */
export async function claimAgain(em: EntityManager, idle: readonly Idle[], limit: number): Promise<Claimed[]> {
  return await claim(
    em,
    sql`id in (
      select id from outbox_event where due_at <= clock_timestamp() and attempt > 0 and awaiting && (
        select array_agg(consumer)
        from unnest(${idle.map((each) => each.consumer)}::text[], ${idle.map((each) => each.history)}::text[])
          as idle (consumer, history)
        where history = ${HISTORY})
      order by due_at limit ${limit} for update skip locked)`,
  );
}

/** Takes events that were committed a moment ago, without a look for what else is due. */
export async function claimFresh(em: EntityManager, ids: readonly string[]): Promise<Claimed[]> {
  return await claim(em, sql`id = any(${[...ids]}::uuid[]) and attempt = 0 and due_at is not null`);
}

async function claim(em: EntityManager, which: RawBuilder<unknown>): Promise<Claimed[]> {
  const { rows } = await sql<ClaimedRow>`
    update outbox_event set attempt = attempt + 1, due_at = ${LEASE} where ${which}
    returning body, attempt, traceparent, ${HISTORY} as history`.execute(em.getKysely());
  return inOrder(rows);
}

/**
 * Gives back what could not be published, due again in a second. The attempt did not count: should it have arrived
 * after all, the next one has the same message id and is dropped by the stream.
 */
export async function giveBack(em: EntityManager, claimed: readonly Claimed[]): Promise<void> {
  await sql`
    update outbox_event set attempt = greatest(attempt - 1, 0), due_at = clock_timestamp() + interval '1 s'
    where id = any(${claimed.map(({ event }) => event.id)}::uuid[]) and due_at is not null`.execute(em.getKysely());
}

/** What is unconfirmed is due now: the stream lost what it held, or a consumer is in another history than before. */
export async function offerAgain(em: EntityManager): Promise<void> {
  await inBatches((limit) =>
    sql`
      update outbox_event set due_at = now() where id in (
        select id from outbox_event where due_at > now() ${limit} ${SKIPPING})`.execute(em.getKysely()),
  );
}

/** Says that a consumer has applied an event, in the history of the database that the event was of. */
export interface Receipt {
  eventId: string;
  consumer: string;
  history: string;
}

/**
 * Strikes out the consumers that have confirmed in the history that this database is in: what was applied in another is not
 * applied here. Rows are locked in id order: every process does this at once.
 */
export async function strikeOut(em: EntityManager, receipts: readonly Receipt[]): Promise<void> {
  await sql`
    with receipt as (
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
    from held where o.id = held.id`.execute(em.getKysely());
}

export interface Question {
  workspaceId: string;
  /** The `aboutId` the event was made with. */
  aboutId: string;
  /** None: of whatever type. */
  types: readonly string[];
}

/** The newest event about a thing, whoever has confirmed it. */
export async function newestAbout(
  em: EntityManager,
  { workspaceId, aboutId, types }: Question,
): Promise<HeardEvent | null> {
  const { rows } = await sql<{ body: DomainEvent; history: string }>`
    select body, ${HISTORY} as history from outbox_event
    where workspace_id = ${workspaceId} and about_id = ${aboutId}
      and (${types.length === 0} or type = any(${[...types]}::text[]))
    order by recorded_at desc, id desc limit 1`.execute(em.getKysely());
  const [newest] = rows;
  return newest ? { ...newest.body, history: newest.history } : null;
}

/** Where the last event about a thing came from, if a trace was kept of that. */
export async function lastStepAbout(
  em: EntityManager,
  { workspaceId, aboutId }: { workspaceId: string; aboutId: string },
): Promise<{ traceparent: string; ageSeconds: number } | null> {
  const { rows } = await sql<{ traceparent: string; ageSeconds: number }>`
    select traceparent, extract(epoch from clock_timestamp() - recorded_at)::float8 as "ageSeconds" from outbox_event
    where workspace_id = ${workspaceId} and about_id = ${aboutId} and traceparent is not null
    order by recorded_at desc, id desc limit 1`.execute(em.getKysely());
  return rows[0] ?? null;
}

interface ClaimedRow extends Omit<Claimed, 'event'> {
  body: DomainEvent;
}

/** `returning` promises no order. */
function inOrder(rows: readonly ClaimedRow[]): Claimed[] {
  return rows.map(({ body, ...rest }) => ({ event: body, ...rest })).toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function key({ event }: Claimed): string {
  return `${event.occurredAt} ${event.id}`;
}
