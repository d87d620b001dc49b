import { readSettings, StartError, type MainCommand } from '@payroll/process';
import { databaseSettings } from './database-settings.js';
import { createMigration, migrate, tablesMatchMigrations } from './migrate.js';
import type { Schema } from './orm.js';

/** `migrate`, and for those who change tables `migrate --check` and `migrate --create [name]`, which need no database. */
export function migrateCommand(schema: Schema): MainCommand {
  // Migrations are run as compiled, but written and compared where their source and snapshot are.
  const sourceDir = schema.migrationsDir.replace('/dist/', '/src/');
  return {
    help: 'brings the tables up to date, with the owner in DATABASE_URL (--check, --create [name])',
    run: async (env, [flag, name]) => {
      if (flag === '--check') return await check(schema, sourceDir);
      if (flag === '--create') {
        const file = await createMigration(schema, sourceDir, name);
        return say(
          file
            ? `wrote ${file}: add the grants for new tables, and name it in schema.ts`
            : 'nothing to do: the tables are as migrated',
        );
      }
      if (flag !== undefined)
        throw new StartError(`migrate does not know "${flag}"; it takes --check or --create [name]`);
      const owner = readSettings(env, databaseSettings);
      const applied = await migrate(schema, owner);
      say(applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date');
    },
  };
}

async function check(schema: Schema, sourceDir: string): Promise<void> {
  if (await tablesMatchMigrations(schema, sourceDir)) return say('tables and migrations agree');
  throw new StartError('tables and migrations differ: run `migrate --create` and commit what it writes');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
