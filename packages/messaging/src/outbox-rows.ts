import type { EntityManager } from '@mikro-orm/postgresql';
import type { DomainEvent } from '@payroll/store';
import { sql } from 'kysely';
import { GENERATION } from './generation.js';

// The outbox as the relay sees it. Each function is one statement, in no transaction: nothing waits on the network
// while a row is locked.

/** An event taken for publishing. Its lease is `due_at`: it is due again should its receipts not come in time. */
export interface Claimed {
  event: DomainEvent;
  /** How often it has been published, this time included. */
  attempt: number;
  /** Of the database that says so. */
  generation: string;
  /** The step of a trace that emitted it. */
  traceparent: string | null;
}

/** 10 s, doubling with every attempt, at most 5 min. */
const LEASE = sql`clock_timestamp() + least(interval '10 s' * power(2, least(attempt, 10)), interval '5 min')`;

/** Takes events that are due. Those that another process is just taking are left to it. */
export async function claimDue(em: EntityManager, limit: number): Promise<Claimed[]> {
  const { rows } = await sql<ClaimedRow>`
    update outbox_event set attempt = attempt + 1, due_at = ${LEASE}
    where id in (
      select id from outbox_event where due_at <= clock_timestamp()
      order by recorded_at limit ${limit} for update skip locked)
    returning body, attempt, traceparent, ${GENERATION} as generation`.execute(em.getKysely());
  return inOrder(rows);
}

/** Takes events that were committed a moment ago, without a look for what else is due. */
export async function claimFresh(em: EntityManager, ids: readonly string[]): Promise<Claimed[]> {
  const { rows } = await sql<ClaimedRow>`
    update outbox_event set attempt = attempt + 1, due_at = ${LEASE}
    where id = any(${[...ids]}::uuid[]) and attempt = 0 and due_at is not null
    returning body, attempt, traceparent, ${GENERATION} as generation`.execute(em.getKysely());
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

/** The stream lost what it held: all that is unconfirmed is due now. */
export async function offerAgain(em: EntityManager): Promise<void> {
  await sql`update outbox_event set due_at = clock_timestamp() where due_at > clock_timestamp()`.execute(
    em.getKysely(),
  );
}

export interface Receipt {
  eventId: string;
  consumer: string;
}

/** Strikes out the consumers that have confirmed. Rows are locked in id order: every process does this at once. */
export async function strikeOut(em: EntityManager, receipts: readonly Receipt[]): Promise<void> {
  await sql`
    with receipt as (
      select event_id, array_agg(consumer) as consumers
      from unnest(${receipts.map((r) => r.eventId)}::uuid[], ${receipts.map((r) => r.consumer)}::text[])
        as r (event_id, consumer)
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

/** The newest event about a thing, whoever has confirmed it. */
export async function newestAbout(
  em: EntityManager,
  question: { workspaceId: string; aboutId: string; type?: string | undefined },
): Promise<DomainEvent | null> {
  const { workspaceId, aboutId, type } = question;
  const { rows } = await sql<{ body: DomainEvent }>`
    select body from outbox_event
    where workspace_id = ${workspaceId} and about_id = ${aboutId} and (${type ?? null}::text is null or type = ${type ?? null})
    order by recorded_at desc, id desc limit 1`.execute(em.getKysely());
  return rows[0]?.body ?? null;
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
