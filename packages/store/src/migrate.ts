import { readdirSync } from 'node:fs';
import { MikroORM } from '@mikro-orm/postgresql';
import { databaseAt, type DatabaseSettings } from './database-settings.js';
import { ormOptions, type Schema } from './orm.js';

/** Brings the schema up to date, as the owner role. Says what was applied. */
export async function migrate(schema: Schema, owner: DatabaseSettings | string): Promise<string[]> {
  const orm = await MikroORM.init(ormOptions(schema, typeof owner === 'string' ? databaseAt(owner) : owner));
  try {
    const applied = await orm.migrator.up();
    return applied.map(({ name }) => name);
  } finally {
    await orm.close();
  }
}

/**
 * Whether the tables in the code are what the migrations make, by the snapshot kept beside the migrations in
 * `sourceDir`, and every migration there is named in the schema. Needs no database.
 */
export async function tablesMatchMigrations(schema: Schema, sourceDir: string): Promise<boolean> {
  const files = readdirSync(sourceDir).filter((file) => /^Migration.*\.ts$/.test(file));
  return files.length === schema.migrations.length && !(await offline(schema, sourceDir).migrator.checkSchema());
}

/** Writes the migration that leads from the snapshot to the tables; grants are added to it by hand. Says its name. */
export async function createMigration(schema: Schema, sourceDir: string, name?: string): Promise<string | null> {
  const { fileName } = await offline(schema, sourceDir).migrator.create(undefined, false, false, name);
  return fileName || null;
}

/** An ORM that never connects: what it compares is the tables in the code and the snapshot. */
function offline(schema: Schema, sourceDir: string): MikroORM {
  const options = ormOptions(
    { ...schema, migrationsDir: sourceDir },
    databaseAt('postgres://offline@127.0.0.1:1/offline'),
  );
  return new MikroORM({ ...options, migrations: { ...options.migrations, snapshot: true } });
}
