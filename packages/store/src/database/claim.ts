import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseOtherClaim, type DeploymentName } from '@payroll/runtime';
import { as, read, sql } from '../sql/sql.js';

/**
 * A database restored from a dump of another cell has that cell's keys, sessions and payouts.
 * @throws StartError when it was made for another deployment
 */
export async function requireOwnDatabase(em: EntityManager, name: DeploymentName): Promise<void> {
  const [database] = await read(
    em,
    sql`select ${as('comment', 'text?', sql`shobj_description(oid, 'pg_database')`)}
      from pg_database where datname = current_database()`,
  );
  refuseOtherClaim(database?.comment, name);
}
