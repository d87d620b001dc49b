import type { EntityManager } from '@mikro-orm/postgresql';
import { Commands, defineCommand, type EventCommand, type Relay } from '@payroll/commands';
import { newEvent, type EventBody } from '@payroll/events';
import { newId, SYSTEM_ONLY, systemOrigin } from '@payroll/kernel';
import { columns, computed, read, sql, write } from '@payroll/store';
import { SeenTable } from './databases.js';

type Created = EventBody<'payment.retried'>;

const emitCommand = defineCommand('test.emit', {
  who: SYSTEM_ONLY,
  decide: (tx, { aboutId, sequence, isAwaited }: { aboutId: string; sequence: number; isAwaited: boolean }) => {
    const source = { paymentId: aboutId, sourceType: 'timesheet', sourceId: aboutId } as const;
    const body = { ...source, sequence, status: 'pending' } as const;
    tx.emit({ ...newEvent('payment.retried', aboutId, body), isAwaited });
    return Promise.resolve();
  },
});

/** A consumer's command: runs the test's own step, then records the number. */
export function see(first: (created: Created) => unknown = () => undefined): EventCommand<'payment.retried'> {
  return defineCommand('test.see', {
    who: SYSTEM_ONLY,
    decide: async (tx, created: Created) => {
      await first(created);
      tx.insert(SeenTable, { id: newId(), sequence: created.sequence });
    },
  });
}

interface Emit {
  /** Without it, the event waits for a process that polls the outbox. */
  relay?: Relay;
  workspaceId?: string;
  aboutId?: string;
  isAwaited?: boolean;
}

export function runnerOf(em: EntityManager, relay?: Relay): Commands {
  return new Commands({ em, ...(relay && { relay }) });
}

/** Commits an event with this number. */
export async function emit(
  em: EntityManager,
  sequence: number,
  { relay, workspaceId = newId(), aboutId = newId(), isAwaited = true }: Emit = {},
): Promise<{ workspaceId: string; aboutId: string }> {
  const origin = systemOrigin(workspaceId, 'event', 'req_1');
  await runnerOf(em, relay).run(emitCommand, { aboutId, sequence, isAwaited }, origin);
  return { workspaceId, aboutId };
}

/** Events like the first one, each in a separate workspace, with consecutive numbers. */
export async function emitMany(em: EntityManager, count: number): Promise<void> {
  await emit(em, 1);
  const copies = sql`
    with another as (
      select n, gen_random_uuid() as id, gen_random_uuid() as workspace from generate_series(2, ${count}::int) as n
    ), event as (
      insert into outbox_event (id, workspace_id, type, about_id, body, recorded_at)
      select another.id, workspace, type, about_id, body || jsonb_build_object('id', another.id, 'workspaceId', workspace,
        'body', body->'body' || jsonb_build_object('sequence', n)), recorded_at
      from outbox_event, another returning id, recorded_at
    )
    insert into outbox_delivery (event_id, consumer, recorded_at, attempt, due_at)
    select id, 'review', recorded_at, 1, clock_timestamp() from event`;
  await write(em, copies);
  await makeDue(em);
}

/** The numbers that were applied; a number that was applied twice is in it twice. */
export async function seen(em: EntityManager): Promise<number[]> {
  const rows = await read(em, sql`select ${columns(SeenTable, 'sequence')} from seen order by sequence`);
  return rows.map(({ sequence }) => sequence);
}

interface OutboxState {
  /** Deliveries that are not confirmed. */
  open: number;
  /** All attempts at these deliveries. */
  attempts: number;
}

export async function outbox(em: EntityManager): Promise<OutboxState> {
  const [row] = await read(
    em,
    sql`select ${computed('open', 'int', sql`count(*)`)}, ${computed('attempts', 'int', sql`coalesce(sum(attempt), 0)`)}
      from outbox_delivery`,
  );
  return row!;
}

/** As if the leases had expired. */
export async function makeDue(em: EntityManager): Promise<void> {
  await write(em, sql`update outbox_delivery set due_at = clock_timestamp()`);
}

/** As if a confirmation had been lost. */
export async function unconfirm(em: EntityManager): Promise<void> {
  const again = sql`insert into outbox_delivery (event_id, consumer, recorded_at, attempt, due_at)
    select id, 'review', recorded_at, 1, clock_timestamp() from outbox_event on conflict do nothing`;
  await write(em, again);
}

export async function deadLetters(em: EntityManager): Promise<{ type: string; reason: string }[]> {
  return (await read(em, sql`select type, reason from dead_letter`)) as { type: string; reason: string }[];
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
