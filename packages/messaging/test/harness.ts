import { defineEntity, p, type EntityManager, type MikroORM } from '@mikro-orm/postgresql';
import { newEvent, type EventOf, type EventService } from '@payroll/events';
import { createDatabase } from '@payroll/infra/test-server';
import { newId, systemOrigin } from '@payroll/kernel';
import {
  CommandRunner,
  defineCommand,
  defineSchema,
  openDatabase,
  writePathTables,
  type DomainEvent,
} from '@payroll/store';
import { sql } from 'kysely';
import { inject } from 'vitest';

/** What a consumer did, without any constraint that would hide doing it twice. */
const SeenTable = defineEntity({
  name: 'Seen',
  tableName: 'seen',
  properties: { id: p.uuid().primary(), eventId: p.uuid(), sequence: p.integer() },
});

const schemaOf = (name: EventService) =>
  defineSchema({ name, tables: [...writePathTables, SeenTable], migrationsDir: import.meta.dirname });

/** A database with the write-path tables of a publisher (payments) and a consumer (review). */
export async function createDatabases(name: string): Promise<Readonly<Record<EventService, string>>> {
  const { ownerUrl, urls } = await createDatabase(inject('backends'), name);
  for (const service of ['payments', 'review'] as const) {
    await using owner = await open(service, ownerUrl);
    await owner.orm.schema.create();
    await sql`grant select, insert, update, delete on all tables in schema ${sql.ref(service)} to ${sql.ref(service)}`.execute(
      owner.orm.em.getKysely(),
    );
  }
  return urls;
}

export async function open(service: EventService, url: string) {
  const orm: MikroORM = await openDatabase(schemaOf(service), url);
  return { orm, em: orm.em as EntityManager, [Symbol.asyncDispose]: () => orm.close() };
}

/** Commits an event of payments, and hands it over for delivery unless the process "dies" before. */
export const tell = defineCommand('tell', async (tx, { aboutId, sequence }: { aboutId: string; sequence: number }) => {
  const body = { paymentId: aboutId, sourceType: 'timesheet', sourceId: aboutId, sequence, status: 'pending' } as const;
  tx.emit(newEvent('payment.created', aboutId, body));
});

type Told = EventOf<'payment.created'>;

const see = defineCommand('see', async (tx, event: Told) => {
  tx.em.persist(tx.em.create(SeenTable, { id: newId(), eventId: event.id, sequence: event.body.sequence }));
});

export async function tellOf(
  em: EntityManager,
  sequence: number,
  committed: (events: readonly DomainEvent[]) => Promise<void> = () => Promise.resolve(),
  workspaceId = newId(),
): Promise<{ workspaceId: string; aboutId: string }> {
  const aboutId = newId();
  await new CommandRunner({ em, committed }).run(
    tell,
    { aboutId, sequence },
    systemOrigin(workspaceId, 'runner', 'req_1'),
  );
  return { workspaceId, aboutId };
}

/** The consumer's handler: applies the event by the inbox, as services do. */
export function seeBy(em: EntityManager): (event: Told) => Promise<boolean> {
  const runner = new CommandRunner({ em, committed: () => Promise.resolve() });
  return (event) => runner.apply(see, event, event, systemOrigin(event.workspaceId, 'event', event.requestId));
}

export async function seen(em: EntityManager): Promise<number[]> {
  const { rows } = await sql<{ sequence: number }>`select sequence from seen order by sequence`.execute(em.getKysely());
  return rows.map(({ sequence }) => sequence);
}

/** Events that some consumer has not confirmed. */
export async function unconfirmed(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from outbox_event where due_at is not null`.execute(
    em.getKysely(),
  );
  return Number(rows[0]!.n);
}

/** Brings the next publication forward, as if the lease were over. */
export async function makeDue(em: EntityManager): Promise<void> {
  await sql`update outbox_event set due_at = clock_timestamp(), awaiting = '{review}'`.execute(em.getKysely());
}

export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
