import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant, ServiceName } from '@payroll/kernel';
import { computed, columns, GENERATION, inBatches, read, sql, write, type Sql } from '@payroll/store';
import { OutboxEventTable } from '../tables.js';

/** A fact for the services that need it. Carries ids, dates and amounts, never personal text. */
export interface DomainEvent {
  id: string;
  type: string;
  workspaceId: string;
  aboutId: string;
  occurredAt: Instant;
  /** The request that caused it, so that one id finds its lines in every log. */
  requestId: string;
  body: unknown;
}

/** An event in delivery, with the database generation of its publisher (ADR 04). */
export interface EventInGeneration extends DomainEvent {
  generation: string;
}

/** The fields of an event that a command sets; `emit` adds those of its actor and transaction. */
export interface NewEvent extends Pick<DomainEvent, 'type' | 'aboutId' | 'body'> {
  /** The services that must confirm it. */
  consumers: readonly ServiceName[];
  /** False if no reader depends on the consumers: the answer then does not wait for their replies. Default true. */
  isAwaited?: boolean;
}

/** Events that a command has emitted, to be delivered after its commit. */
export interface Emitted {
  event: DomainEvent;
  consumers: readonly ServiceName[];
  traceparent: string | null;
  isAwaited: boolean;
}

export interface Committed extends Emitted {
  event: EventInGeneration;
}

// Except for `insertEvent`, each is one statement outside a transaction: no row is locked during a delivery.

/** An event that one consumer has not confirmed. */
export type Delivery = Pick<Committed, 'event' | 'traceparent'>;

/** Until a delivery is due again, by attempt; the last one counts for all later attempts. */
export const LEASE_SECONDS: readonly number[] = [3, 10, 30];

/** Runs in the command's transaction. This process makes the first attempt, right after the commit. */
export function insertEvent(event: DomainEvent, consumers: readonly ServiceName[], traceparent: string | null): Sql {
  const { id, type, workspaceId, aboutId, occurredAt } = event;
  return sql`
    with event as (
      insert into outbox_event (id, workspace_id, type, about_id, body, recorded_at, traceparent)
      values (${id}, ${workspaceId}, ${type}, ${aboutId}, ${JSON.stringify(event)}, ${occurredAt}, ${traceparent})
      returning id, recorded_at)
    insert into outbox_delivery (event_id, consumer, recorded_at, attempt, due_at)
    select id, consumer, recorded_at, 1, clock_timestamp() + ${LEASE_SECONDS[0]} * interval '1 s'
    from event, unnest(${[...consumers]}::text[]) as consumer`;
}

interface Claim {
  limit: number;
  /** Events that this process is delivering; all tries together may take longer than the lease. */
  except?: readonly string[];
  leaseSeconds?: readonly number[];
}

/** Takes what is due for a consumer, except what another process is taking right now, and leases it. */
export async function claimDue(
  em: EntityManager,
  consumer: ServiceName,
  { limit, except = [], leaseSeconds = LEASE_SECONDS }: Claim,
): Promise<Delivery[]> {
  const leases = sql`${[...leaseSeconds]}::float8[]`;
  // statement_timestamp() bounds the index scan: clock_timestamp() may not, and would read every delivery that is leased.
  const rows = await read(
    em,
    sql`with due as (
        select event_id from outbox_delivery where consumer = ${consumer} and due_at <= statement_timestamp()
          and event_id <> all(${[...except]}::uuid[])
        order by due_at limit ${limit} for update skip locked
      ), claimed as (
        update outbox_delivery delivery
        set attempt = attempt + 1,
          due_at = clock_timestamp() + (${leases})[least(attempt + 1, cardinality(${leases}))] * interval '1 s'
        from due where delivery.event_id = due.event_id and consumer = ${consumer}
        returning delivery.event_id)
      select ${columns(OutboxEventTable, 'body', 'traceparent')}, ${computed('generation', 'text', GENERATION)}
      from claimed join outbox_event on id = event_id`,
  );
  return rows.map(({ body, generation, traceparent = null }) => ({
    event: { ...(body as DomainEvent), generation },
    traceparent,
  }));
}

/** Confirms only in the database generation of the delivery: the publisher's database may have been replaced since. */
export async function markConfirmed(
  em: EntityManager,
  consumer: ServiceName,
  events: readonly Pick<EventInGeneration, 'id' | 'generation'>[],
): Promise<void> {
  await write(
    em,
    sql`delete from outbox_delivery
      using unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ generation }) => generation)}::text[])
        as confirmed (id, generation)
      where event_id = confirmed.id and consumer = ${consumer} and confirmed.generation = ${GENERATION}`,
  );
}

/** Deletes events that every consumer confirmed long ago. Postgres refuses to delete any other. */
export async function deleteExpiredEvents(em: EntityManager, days: number): Promise<number> {
  return await inBatches(
    em,
    (limit) => sql`
      delete from outbox_event where id in (
        select id from outbox_event
        where recorded_at < now() - make_interval(days => ${days})
          and not exists (select from outbox_delivery where event_id = id)
        order by recorded_at ${limit})`,
  );
}
