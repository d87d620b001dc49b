import { defineEntity, p, type EntityManager } from '@mikro-orm/postgresql';
import type { EventService } from '@payroll/events';
import { createDatabase } from '@payroll/infra/test-server';
import { defineSchema, openDatabase, writePathTables } from '@payroll/store';
import { sql } from 'kysely';
import { inject } from 'vitest';

/** What a consumer did, without any constraint that would hide doing it twice. */
export const SeenTable = defineEntity({
  name: 'Seen',
  tableName: 'seen',
  properties: { id: p.uuid().primary(), eventId: p.uuid(), sequence: p.integer() },
});

export interface Database extends AsyncDisposable {
  em: EntityManager;
}

/** A database with the tables of a publisher (payments) and of a consumer (review), each as its own role. */
export async function openDatabases(name: string): Promise<{ payments: Database; review: Database } & AsyncDisposable> {
  const { ownerUrl, urls } = await createDatabase(inject('backends'), name);
  await using owner = new AsyncDisposableStack();
  for (const service of ['payments', 'review'] as const) {
    const orm = await openDatabase(schemaOf(service), ownerUrl);
    owner.defer(() => orm.close());
    await orm.schema.create();
    const schema = sql.ref(service);
    await sql`grant select, insert, update, delete, truncate on all tables in schema ${schema} to ${schema}`.execute(
      orm.em.getKysely(),
    );
  }
  const stack = new AsyncDisposableStack();
  const payments = stack.use(await open('payments', urls.payments));
  const review = stack.use(await open('review', urls.review));
  return { payments, review, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function open(service: EventService, url: string): Promise<Database> {
  const orm = await openDatabase(schemaOf(service), url);
  return { em: orm.em, [Symbol.asyncDispose]: () => orm.close() };
}

function schemaOf(name: EventService) {
  return defineSchema({
    name,
    tables: [...writePathTables, SeenTable],
    migrations: [],
    migrationsDir: import.meta.dirname,
  });
}
