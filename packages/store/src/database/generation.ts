import type { EntityManager } from '@mikro-orm/postgresql';
import { computed, read, sql } from '../sql/sql.js';

/** The generation the database is in, as Postgres knows it now (ADR 04): good only in the statement that uses it. */
export const GENERATION = sql`(
  select left(encode(sha256(convert_to(format('%s %s %s %s %s',
    control.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), database.oid,
    extract(epoch from pg_postmaster_start_time()),
    (select string_agg(relfilenode::text, ' ' order by oid) from pg_class where relname = 'outbox_event' and relkind = 'r')
  ), 'UTF8')), 'hex'), 32)
  from pg_control_system() as control, pg_database as database where database.datname = current_database())`;

/** The database generation of one connection, for display only: no decision may depend on it. */
export async function readGeneration(em: EntityManager): Promise<string> {
  const [row] = await read(em, sql`select ${computed('generation', 'text', GENERATION)}`);
  return row!.generation;
}
