/** `npm run migrations`: writes the migrations that the tables in the code need; with `--check` reports what is wrong with them. */
import { globSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { TSMigrationGenerator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Schema } from '@payroll/store';
import { findBlocking } from './blocking.ts';
import { buildFolders, processFolders, reportFaults, root, runMain } from './repository.ts';

const help = `npm run migrations [-- --check | <name>]

Builds the processes that own tables, and writes a migration where tables in the code differ from their migrations, for example
services/review/src/store/migrations/Migration20270131093000_<name>.ts. No database is needed.

  --check  writes nothing; fails where a migration is missing, or would make requests wait
  --help   this
`;

const OWNERS = '{services/*,rest-facade}';

/** Migrations run as compiled, but are written and compared where their source and snapshot are. */
const sourceOf = ({ migrationsDir }: Schema): string => migrationsDir.replace('/dist/', '/src/');

/** An ORM that never connects: it compares the tables in the code with the snapshot. */
async function offline(schema: Schema): Promise<MikroORM> {
  // Imported after the build, which creates it.
  const { ormOptions } = await import('@payroll/store');
  const options = ormOptions(schema, { url: 'postgres://offline@127.0.0.1:1/offline', poolSize: 2 });
  const generator = { generator: TSMigrationGenerator, path: sourceOf(schema), snapshot: true };
  return new MikroORM({ ...options, migrations: { ...options.migrations, ...generator } });
}

/** The path of the migration that was written; null where none is needed. */
export async function writeMigration(schema: Schema, name?: string): Promise<string | null> {
  const orm = await offline(schema);
  const { fileName } = await orm.migrator.create(undefined, false, false, name);
  return fileName ? join(sourceOf(schema), fileName) : null;
}

/** Whether the snapshot matches the tables in the code, the schema names every migration, and none blocks. */
export async function faultsOf(schema: Schema): Promise<string[]> {
  const orm = await offline(schema);
  const files = readdirSync(sourceOf(schema)).filter((file) => /^Migration.*\.ts$/.test(file));
  if (files.length !== schema.migrations.length || (await orm.migrator.checkSchema())) {
    return [
      `${schema.name}: tables and migrations differ: npm run migrations, name what it writes in schema.ts, commit it`,
    ];
  }
  const faults = schema.migrations.map(async (Written) => {
    const migration = new Written(orm.em.getDriver(), orm.config);
    await migration.up();
    const statements = migration.getQueries().map(String);
    return findBlocking({ name: Written.name, statements, isTransactional: migration.isTransactional() });
  });
  return (await Promise.all(faults)).flat();
}

async function schemas(): Promise<Schema[]> {
  const files = globSync(`${OWNERS}/dist/store/schema.js`, { cwd: root }).toSorted();
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(root, file)).href)));
  return modules.flatMap((each: object) => Object.values(each).filter(isSchema));
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'migrations' in value;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return console.log(help);
  if (values.check === true) {
    return reportFaults((await Promise.all((await schemas()).map(faultsOf))).flat());
  }
  if (!buildFolders(processFolders(OWNERS))) return void (process.exitCode = 1);
  const written = await Promise.all((await schemas()).map((schema) => writeMigration(schema, positionals[0])));
  const paths = written.filter((path) => path !== null).map((path) => relative(root, path));
  for (const path of paths) console.log(`wrote ${path}: add the grants of new tables, and name it in schema.ts`);
  if (paths.length === 0) console.log('nothing to do: the tables are as migrated');
}

if (import.meta.main) await runMain('migrations', main);
