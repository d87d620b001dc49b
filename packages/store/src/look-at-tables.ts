import type { EntityManager } from '@mikro-orm/postgresql';
import { finding, findings, type Finding } from '@payroll/process';
import { sql } from 'kysely';
import type { Schema } from './orm.js';

/** Whether the tables are those of the code, by the migrations that each knows of. */
export async function lookAtTables(em: EntityManager, name: string, schema: Schema): Promise<Finding[]> {
  // A role that may not ask has not had the migration that lets it.
  return await findings(noneMissing(name), RUN_MIGRATIONS, async () => {
    const { rows } = await sql<{ name: string }>`select name from migration`.execute(em.getKysely());
    const known = schema.migrations.map((migration) => migration.name);
    return compareMigrations(
      name,
      known,
      rows.map((row) => row.name),
    );
  });
}

const RUN_MIGRATIONS = 'run the migrations: docker-compose run --rm migrate, or start it by npm start';
const noneMissing = (name: string): string => `${name} finds all the tables that it needs`;

/** Exported for its test. */
export function compareMigrations(name: string, known: readonly string[], applied: readonly string[]): Finding[] {
  const missing = known.filter((each) => !applied.includes(each));
  const unknown = applied.filter((each) => !known.includes(each));
  return [
    finding(
      noneMissing(name),
      missing.length === 0,
      `its code is newer than its tables: ${missing.join(', ')} not applied`,
      RUN_MIGRATIONS,
    ),
    finding(
      `${name} knows all of its tables`,
      unknown.length === 0,
      `its tables are newer than its code: it knows nothing of ${unknown.join(', ')}`,
      'after going back by one version all is well meanwhile; by more, start the version that made them (docs/operations.md)',
    ),
  ];
}
