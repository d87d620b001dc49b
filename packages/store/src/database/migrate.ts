import { MikroORM } from '@mikro-orm/postgresql';
import { type MainCommand, readSettings, StartError } from '@payroll/runtime';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './database-error.js';
import { databaseAt, type DatabaseSettings, databaseSettings } from './database-settings.js';
import { ormOptions, type Schema } from './database.js';

/**
 * Half of what a request waits for a lock (1 s, `infra/postgres/roles.ts`): a statement that waits for a table makes all later
 * requests for it wait too, and they must still succeed.
 */
const LOCK_MS = 500;
/** Longer than a backup reads the tables of a small system; then a person has to look. */
const TRY_FOR_MS = 600_000;
const MAX_PAUSE_MS = 10_000;
/**
 * A migration may take long, so no deadline shows that its server has vanished. After this time without a packet the kernel sends ten
 * probes, one a second; its own default is to begin after two hours.
 */
const UNHEARD_MS = 10_000;
/** lock_not_available, deadlock_detected */
const LOCKED = /^(?:55P03|40P01)$/;
/** First half of the advisory lock's key, beside a hash of the schema's name. The value is arbitrary. */
const MIGRATION_LOCK = 7_215_002;

/**
 * Brings the schema up to date, as the owner role, one migration and one run at a time. Processes serve meanwhile: it never
 * waits long for a table that they use. Says what was applied.
 */
export async function migrate(
  schema: Schema,
  owner: DatabaseSettings | string,
  report: (line: string) => void = () => {},
): Promise<string[]> {
  const options = ormOptions(schema, typeof owner === 'string' ? databaseAt(owner) : owner);
  const orm = await MikroORM.init({
    ...options,
    driverOptions: {
      ...options.driverOptions,
      ...{ connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: UNHEARD_MS },
    },
    // One connection that is never closed as idle: it holds the advisory lock.
    pool: { min: 1, max: 1, idleTimeoutMillis: 0 },
    // An index that is made concurrently cannot be in the transaction of another migration.
    migrations: { ...options.migrations, allOrNothing: false },
  });
  try {
    await waitForTurn(orm, schema.name, report);
    const applied: string[] = [];
    for (const { name } of await orm.migrator.getPending()) {
      const Pending = schema.migrations.find((each) => each.name === name)!;
      const isTransactional = new Pending(orm.em.getDriver(), orm.config).isTransactional();
      // Waiting for old transactions, an index that is made concurrently blocks no request, and starts over if it is interrupted.
      await orm.em.execute(`set lock_timeout = ${isTransactional ? LOCK_MS : 0}`);
      await apply(orm, name, report);
      applied.push(name);
    }
    return applied;
  } finally {
    await orm.close();
  }
}

/** Asks again and again: a session that waits in `pg_advisory_lock` has a snapshot, which `create index concurrently` waits for. */
async function waitForTurn(orm: MikroORM, schema: string, report: (line: string) => void): Promise<void> {
  // A run whose machine vanished keeps its lock until Postgres notices: within 90 s.
  await orm.em.execute('set tcp_keepalives_idle = 60; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3');
  const ask = `select pg_try_advisory_lock(${MIGRATION_LOCK}, hashtext(?)) as "isOurs"`;
  for (let isReported = false; ; isReported = true) {
    const [row] = await orm.em.execute<{ isOurs: boolean }[]>(ask, [schema]);
    if (row!.isOurs) return;
    if (!isReported) report('waits for another run of the migrations to end');
    await sleep(200);
  }
}

async function apply(orm: MikroORM, name: string, report: (line: string) => void): Promise<void> {
  const until = Date.now() + TRY_FOR_MS;
  for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      await orm.migrator.up({ migrations: [name] });
      return;
    } catch (error) {
      if (!hasCode(error, LOCKED)) throw error;
      if (Date.now() > until) {
        throw new StartError(
          `${name}: a transaction has held its table for ten minutes: see docs/runbook.md, "Migrations that wait"`,
        );
      }
      report(`${name}: another transaction holds its table; tries again in ${pauseMs / 1_000} s`);
      await sleep(pauseMs);
    }
  }
}

/** The command `migrate` of a process with tables. */
export function migrateCommand(schema: Schema): MainCommand {
  return {
    help: 'brings the tables up to date, with the owner in DATABASE_URL',
    run: async (env) => {
      const applied = await migrate(schema, readSettings(env, databaseSettings), (line) =>
        say(`${schema.name}: ${line}`),
      );
      say(applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date');
    },
  };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
