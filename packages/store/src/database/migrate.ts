import { MikroORM } from '@mikro-orm/postgresql';
import { type MainCommand, readSettings, StartError } from '@payroll/runtime';
import { readdirSync } from 'node:fs';
import { databaseAt, type DatabaseSettings, databaseSettings } from './database-settings.js';
import { ormOptions, type Schema } from './database.js';

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

/** An ORM that never connects: it compares the tables in the code with the snapshot. */
function offline(schema: Schema, sourceDir: string): MikroORM {
  const nowhere = databaseAt('postgres://offline@127.0.0.1:1/offline');
  const options = ormOptions({ ...schema, migrationsDir: sourceDir }, nowhere);
  return new MikroORM({ ...options, migrations: { ...options.migrations, snapshot: true } });
}

/** `migrate`, and for those who change tables `migrate --check` and `migrate --create [name]`, which need no database. */
export function migrateCommand(schema: Schema): MainCommand {
  // Migrations are run as compiled, but written and compared where their source and snapshot are.
  const sourceDir = schema.migrationsDir.replace('/dist/', '/src/');
  return {
    help: 'brings the tables up to date, with the owner in DATABASE_URL (--check, --create [name])',
    run: async (env, [flag, name]) => {
      if (flag === '--check') return await check(schema, sourceDir);
      if (flag === '--create') {
        const { fileName: file } = await offline(schema, sourceDir).migrator.create(undefined, false, false, name);
        if (!file) return say('nothing to do: the tables are as migrated');
        return say(`wrote ${file}: add the grants for new tables, and name it in schema.ts`);
      }
      if (flag !== undefined)
        throw new StartError(`migrate does not know "${flag}"; it takes --check or --create [name]`);
      const owner = readSettings(env, databaseSettings);
      const applied = await migrate(schema, owner);
      say(applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date');
    },
  };
}

/** Whether the snapshot in `sourceDir` matches the tables in the code, and the schema names every migration there. */
async function check(schema: Schema, sourceDir: string): Promise<void> {
  const files = readdirSync(sourceDir).filter((file) => /^Migration.*\.ts$/.test(file));
  const areAllNamed = files.length === schema.migrations.length;
  if (areAllNamed && !(await offline(schema, sourceDir).migrator.checkSchema())) {
    return say('tables and migrations agree');
  }
  throw new StartError('tables and migrations differ: run `migrate --create` and commit what it writes');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
