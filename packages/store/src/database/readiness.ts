import type { EntityManager } from '@mikro-orm/postgresql';
import { as, read, sql } from '../sql/sql.js';
import { hasCode } from './database-error.js';
import type { Schema } from './database.js';

/** undefined_table, insufficient_privilege: no migration has run, which would have made the table and let the role ask. */
const NEVER_MIGRATED = /^(?:42P01|42501|3F000)$/;

/**
 * Lists, for /readyz, the conditions that a process waits for before it can use its database: a server that takes writes, and
 * each migration that it was built with. Asked each time, because either may come at any moment.
 * @throws while the database cannot be reached
 */
export async function lookForDatabase(em: EntityManager, schema: Schema): Promise<string[]> {
  const known = schema.migrations.map(({ name }) => name);
  const [server] = await read(
    em,
    sql`select ${as('isReadOnly', 'text', sql`current_setting('transaction_read_only')`)}`,
  );
  if (server!.isReadOnly !== 'off') return ['a primary database'];
  const applied = await namesOfApplied(em);
  return known.filter((name) => !applied.has(name)).map((name) => `migration ${name}`);
}

async function namesOfApplied(em: EntityManager): Promise<ReadonlySet<string>> {
  try {
    const rows = await read(em, sql`select ${as('name', 'text', sql`name`)} from migration`);
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (hasCode(error, NEVER_MIGRATED)) return new Set();
    throw error;
  }
}
