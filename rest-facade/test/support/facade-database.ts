import type { EntityManager, PostgreSqlConnection } from '@mikro-orm/postgresql';
import { createDatabase } from '@payroll/tools/local/test-server';
import { migrate, openDatabase } from '@payroll/store';
import { sql, type Kysely } from 'kysely';
import { inject } from 'vitest';
import { IdempotencyKeys, type KeyedRequest } from '../../src/idempotency.js';
import { facadeSchema, type FacadeRows } from '../../src/store/schema.js';

export interface FacadeDatabase extends AsyncDisposable {
  em: EntityManager;
  db: Kysely<FacadeRows>;
  keys: IdempotencyKeys;
  /** The pool of its statements. */
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
    keys: new IdempotencyKeys(em),
    pool,
    [Symbol.asyncDispose]: () => orm.close(),
  };
}

/** Locks a key as if it were being registered, until released; our processes hold that lock for a statement only. */
export async function holdOnTo(
  db: Kysely<FacadeRows>,
  { principalId, key, fingerprint }: KeyedRequest,
): Promise<AsyncDisposable & { letGo: () => Promise<void> }> {
  const holder = await db.startTransaction().execute();
  await sql`insert into idempotency_key values (${principalId}, ${key}, ${fingerprint})`.execute(holder);
  const letGo = async (): Promise<void> => {
    if (!holder.isRolledBack) await holder.rollback().execute();
  };
  return { letGo, [Symbol.asyncDispose]: letGo };
}
