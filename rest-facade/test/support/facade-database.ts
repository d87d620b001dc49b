import { createDatabase } from '@payroll/infra/test-server';
import { migrate, openDatabase } from '@payroll/store';
import { sql, type Kysely } from 'kysely';
import { inject } from 'vitest';
import { IdempotencyClaims } from '../../src/idempotency/claims.js';
import { facadeSchema, type FacadeRows } from '../../src/store/schema.js';

export interface FacadeDatabase extends AsyncDisposable {
  db: Kysely<FacadeRows>;
  claims: IdempotencyClaims;
}

/** A migrated database, used as the role that the process has. */
export async function facadeDatabase(name: string): Promise<FacadeDatabase> {
  const { ownerUrl, urls } = await createDatabase(inject('backends'), name);
  await migrate(facadeSchema, ownerUrl);
  const orm = await openDatabase(facadeSchema, urls.rest_facade);
  const db = orm.em.fork().getKysely<FacadeRows>();
  return { db, claims: new IdempotencyClaims(db), [Symbol.asyncDispose]: () => orm.close() };
}

/** As if this much time had passed since everything that happened to a key. */
export async function age(db: Kysely<FacadeRows>, key: string, interval: string): Promise<void> {
  await sql`
    update idempotency_claim set begun_at = begun_at - ${interval}::interval,
      lease_until = lease_until - ${interval}::interval, finished_at = finished_at - ${interval}::interval
    where key = ${key}`.execute(db);
}
