import type { EntityManager, PostgreSqlConnection } from '@mikro-orm/postgresql';
import { createDatabase } from '@payroll/infra/test-server';
import { migrate, openDatabase } from '@payroll/store';
import { sql, type Kysely } from 'kysely';
import { inject } from 'vitest';
import { IdempotencyClaims } from '../../src/idempotency/claims.js';
import { facadeSchema, type FacadeRows } from '../../src/store/schema.js';

export interface FacadeDatabase extends AsyncDisposable {
  em: EntityManager;
  db: Kysely<FacadeRows>;
  claims: IdempotencyClaims;
  /** What its statements go through. */
  pool: Awaited<ReturnType<PostgreSqlConnection['getNativeClient']>>;
}

/** A migrated database, used as the role that the process has. */
export async function facadeDatabase(name: string): Promise<FacadeDatabase> {
  const { ownerUrl, urls } = await createDatabase(inject('backends'), name);
  await migrate(facadeSchema, ownerUrl);
  const orm = await openDatabase(facadeSchema, urls.rest_facade);
  const em = orm.em.fork();
  const pool = await em.getConnection().getNativeClient();
  return {
    em,
    db: em.getKysely<FacadeRows>(),
    claims: new IdempotencyClaims(em),
    pool,
    [Symbol.asyncDispose]: () => orm.close(),
  };
}

/** As if this much time had passed since everything that happened to a key. */
export async function age(db: Kysely<FacadeRows>, key: string, interval: string): Promise<void> {
  await sql`
    update idempotency_claim set begun_at = begun_at - ${interval}::interval,
      lease_until = lease_until - ${interval}::interval, finished_at = finished_at - ${interval}::interval
    where key = ${key}`.execute(db);
}

/** Keeps a key's row locked until it is let go of, as nobody of ours does for longer than a statement. */
export async function holdOnTo(
  db: Kysely<FacadeRows>,
  key: string,
): Promise<AsyncDisposable & { letGo: () => Promise<void> }> {
  const lock = await db.startTransaction().execute();
  await sql`select from idempotency_claim where key = ${key} for update`.execute(lock);
  const letGo = async (): Promise<void> => {
    if (!lock.isRolledBack) await lock.rollback().execute();
  };
  return { letGo, [Symbol.asyncDispose]: letGo };
}
