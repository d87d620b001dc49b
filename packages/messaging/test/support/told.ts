import type { EntityManager } from '@mikro-orm/postgresql';
import { newEvent, type EventBody } from '@payroll/events';
import { newId, SYSTEM_ONLY, systemOrigin } from '@payroll/kernel';
import type { EventCommand } from '@payroll/messaging';
import { Commands, defineCommand, type Claimed } from '@payroll/store';
import { sql } from 'kysely';
import { SeenTable } from './databases.js';

export type Told = EventBody<'payment.created'>;

type Deliver = (events: readonly Claimed[]) => Promise<void>;

const tellCommand = defineCommand('tell', {
  who: SYSTEM_ONLY,
  decide: (tx, { aboutId, sequence }: { aboutId: string; sequence: number }) => {
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
});

/** As a consumer's command: notes the number, after whatever else the test has it do. */
export function see(first: (told: Told) => void | Promise<void> = () => undefined): EventCommand<'payment.created'> {
  return defineCommand('test.see', {
    who: SYSTEM_ONLY,
    decide: async (tx, told: Told) => {
      await first(told);
      tx.em.persist(tx.em.create(SeenTable, { id: newId(), sequence: told.sequence }));
    },
  });
}

/** Without `deliver` its events wait for the poll. */
export function runnerOf(em: EntityManager, deliver?: Deliver): Commands {
  return new Commands({ em, ...(deliver && { relay: { isOpen: true, deliver } }) });
}

/** Commits an event with this number; `deliver` as in `runnerOf`. */
export async function tell(
  em: EntityManager,
  sequence: number,
  deliver?: Deliver,
  about: { workspaceId?: string; aboutId?: string } = {},
): Promise<{ workspaceId: string; aboutId: string }> {
  const { workspaceId = newId(), aboutId = newId() } = about;
  const origin = systemOrigin(workspaceId, 'event', 'req_1');
  await runnerOf(em, deliver).run(tellCommand, { aboutId, sequence }, origin);
  return { workspaceId, aboutId };
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
