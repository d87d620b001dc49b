import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions, type Schema } from './orm.js';

/** Brings the schema up to date, as the owner role. Several at once wait for each other. Says what was applied. */
export async function migrate(schema: Schema, ownerUrl: string): Promise<string[]> {
  const orm = await MikroORM.init(ormOptions(schema, ownerUrl));
  try {
    const applied = await orm.migrator.up();
    return applied.map(({ name }) => name);
  } finally {
    await orm.close();
  }
}

/** Whether the tables in the code are what the migrations make, by the snapshot kept beside them. Needs no database. */
export async function tablesMatchMigrations(schema: Schema, sourceDir: string): Promise<boolean> {
  const orm = new MikroORM(ormOptions({ ...schema, migrationsDir: sourceDir }, OFFLINE));
  try {
    return !(await orm.migrator.checkSchema());
  } finally {
    await orm.close();
  }
}

const OFFLINE = 'postgres://offline@127.0.0.1:1/offline';
