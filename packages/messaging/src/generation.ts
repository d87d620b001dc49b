import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** The message header that says in which generation of the database an event was due. */
export const GENERATION_HEADER = 'Payroll-Generation';

/**
 * Names the history that a database is in: its cluster, the cluster's timeline and its own number there. A restore makes
 * another one, also to a point in time, and so does a failover. All services are in one database, so in one generation.
 */
export const GENERATION = sql<string>`(
  select format('%s-%s-%s', control.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), database.oid)
  from pg_control_system() as control, pg_database as database where database.datname = current_database())`;

/**
 * Tells the events of this database's history from others: what JetStream still holds after a restore may never have
 * happened. Dropping one too many loses nothing, since whatever is still due is published again.
 */
export class OwnGeneration {
  private known: string | undefined;

  constructor(private readonly em: EntityManager) {}

  /** Looks again where it is not the one known so far: after a failover the process is still the same. */
  async is(generation: string): Promise<boolean> {
    if (generation !== this.known) this.known = await this.read();
    return generation === this.known;
  }

  private async read(): Promise<string | undefined> {
    const { rows } = await sql<{ generation: string }>`select ${GENERATION} as generation`.execute(this.em.getKysely());
    return rows[0]?.generation;
  }
}
