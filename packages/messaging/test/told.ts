import type { EntityManager } from '@mikro-orm/postgresql';
import { newEvent, type EventOf, type Heard } from '@payroll/events';
import { newId, SYSTEM_ONLY, systemOrigin } from '@payroll/kernel';
import { CommandRunner, defineCommand, type Applied, type Claimed } from '@payroll/store';
import { sql } from 'kysely';
import { SeenTable } from './databases.js';

export type Told = Heard<EventOf<'payment.created'>>;

const tellCommand = defineCommand(
  'tell',
  SYSTEM_ONLY,
  (tx, { aboutId, sequence }: { aboutId: string; sequence: number }) => {
    const body = {
      paymentId: aboutId,
      sourceType: 'timesheet',
      sourceId: aboutId,
      sequence,
      status: 'pending',
    } as const;
    tx.emit(newEvent('payment.created', aboutId, body));
    return Promise.resolve();
  },
);

const seeCommand = defineCommand('see', SYSTEM_ONLY, (tx, event: Told) => {
  tx.em.persist(tx.em.create(SeenTable, { id: newId(), eventId: event.id, sequence: event.body.sequence }));
  return Promise.resolve();
});

/** Commits an event with this number. Without `deliver` the process is as good as killed right after the commit. */
export async function tell(
  em: EntityManager,
  sequence: number,
  deliver?: (events: readonly Claimed[]) => Promise<void>,
  about: { workspaceId?: string; aboutId?: string } = {},
): Promise<{ workspaceId: string; aboutId: string }> {
  const { workspaceId = newId(), aboutId = newId() } = about;
  const origin = systemOrigin(workspaceId, 'runner', 'req_1');
  await new CommandRunner({ em, ...(deliver && { relay: { isOpen: true, deliver } }) }).run(
    tellCommand,
    { aboutId, sequence },
    origin,
  );
  return { workspaceId, aboutId };
}

/** Applies an event by way of the inbox, as services do. */
export function seeBy(em: EntityManager): (event: Told) => Promise<Applied> {
  const runner = new CommandRunner({ em });
  return (event) => runner.apply(seeCommand, event, event, systemOrigin(event.workspaceId, 'event', event.requestId));
}

/** The numbers that arrived; one that was applied twice is in it twice. */
export async function seen(em: EntityManager): Promise<number[]> {
  const { rows } = await sql<{ sequence: number }>`select sequence from seen order by sequence`.execute(em.getKysely());
  return rows.map(({ sequence }) => sequence);
}

export interface OutboxState {
  /** Events that some consumer has not confirmed. */
  open: number;
  /** Publications of all events together. */
  attempts: number;
}

export async function outbox(em: EntityManager): Promise<OutboxState> {
  const { rows } = await sql<OutboxState>`
    select count(due_at)::int as open, coalesce(sum(attempt), 0)::int as attempts from outbox_event`.execute(
    em.getKysely(),
  );
  const [state] = rows;
  if (!state) throw new Error('An aggregate always has a row.');
  return state;
}

/** As if the receipts had been lost and the leases were over. */
export async function makeDue(em: EntityManager): Promise<void> {
  await sql`update outbox_event set due_at = clock_timestamp(), awaiting = '{review}'`.execute(em.getKysely());
}

export async function deadLetters(em: EntityManager): Promise<{ type: string; reason: string }[]> {
  const { rows } = await sql<{ type: string; reason: string }>`select type, reason from dead_letter`.execute(
    em.getKysely(),
  );
  return rows;
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
