import type { EntityManager, PostgreSqlConnection } from '@mikro-orm/postgresql';
import { createDatabase } from '@payroll/tools/local/test-server';
import { migrate, openDatabase } from '@payroll/store';
import { inject } from 'vitest';
import { IdempotencyKeys } from '../../src/idempotency.js';
import { facadeSchema } from '../../src/store/schema.js';

export interface FacadeDatabase extends AsyncDisposable {
  em: EntityManager;
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
    keys: new IdempotencyKeys(em),
    pool,
    [Symbol.asyncDispose]: () => orm.close(),
  };
}
