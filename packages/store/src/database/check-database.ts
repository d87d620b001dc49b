import type { EntityManager } from '@mikro-orm/postgresql';
import { checkResult, type CheckResult, runCheck } from '@payroll/runtime';
import { computed, read, sql } from '../sql/sql.js';
import type { DatabaseSettings } from './database-settings.js';
import { openDatabase, type Schema } from './database.js';
import { readGeneration } from './generation.js';
import { hasCode } from './database-error.js';

const MAX_SKEW_SECONDS = 2;

/** Whether a process reaches its database, as its own role, and finds there what it was built for; and what else it looks at. */
export async function checkDatabase(
  name: string,
  schema: Schema,
  database: DatabaseSettings,
  more: (em: EntityManager) => Promise<CheckResult[]> = () => Promise.resolve([]),
): Promise<CheckResult[]> {
  const what = `${name} reaches its database`;
  return await runCheck(what, 'look at DATABASE_URL, the certificate and whether Postgres runs', async () => {
    const orm = await openDatabase(schema, database);
    try {
      const em = orm.em.fork();
      return [
        { ok: true, what },
        await checkClockSkew(name, em),
        ...(await checkServer(name, em)),
        ...compareMigrations(name, namesOf(schema.migrations), await namesOfApplied(em)),
        ...(await more(em)),
      ];
    } finally {
      await orm.close();
    }
  });
}

async function checkClockSkew(name: string, em: EntityManager): Promise<CheckResult> {
  const askedAt = Date.now();
  const [row] = await read(em, sql`select ${computed('at', 'timestamptz', sql`clock_timestamp()`)}`);
  // Accurate to half of the round trip to Postgres.
  const skew = (Date.parse(row!.at) - (askedAt + Date.now()) / 2) / 1_000;
  return checkResult(
    `the clocks of ${name} and Postgres agree`,
    Math.abs(skew) < MAX_SKEW_SECONDS,
    `they differ by ${skew.toFixed(1)} s`,
    'set the clocks by NTP: tokens between processes are good for 15 s',
  );
}

const OLDEST_VERSION = 18;

/** The requirements of docs/operations.md, also for a Postgres that is not ours. */
async function checkServer(name: string, em: EntityManager): Promise<CheckResult[]> {
  const setting = <Name extends string>(of: Name) => computed(of, 'text', sql`current_setting(${of})`);
  const [server] = await read(
    em,
    sql`select ${setting('server_version_num')}, ${setting('transaction_read_only')}, ${setting('synchronous_commit')},
      ${setting('synchronous_standby_names')}, ${computed('archiveFailedAt', 'timestamptz?', ARCHIVE_FAILED_AT)}
      from pg_stat_archiver`,
  );
  const what = `${name} can tell the history of its database`;
  const todo =
    'pg_control_system() and pg_walfile_name() must answer: this service cannot run on this kind of Postgres';
  return [
    ...describeServer(name, server!),
    ...(await runCheck(what, todo, async () => {
      await readGeneration(em);
      return [{ ok: true, what }];
    })),
  ];
}

/** Null where nothing is archived, and where the newest attempt succeeded. */
const ARCHIVE_FAILED_AT = sql`case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_time end`;

type ServerSetting =
  | 'server_version_num'
  | 'transaction_read_only'
  | 'synchronous_commit'
  | 'synchronous_standby_names';

export function describeServer(
  name: string,
  { archiveFailedAt, ...server }: Readonly<Record<ServerSetting, string>> & { archiveFailedAt: string | null },
): CheckResult[] {
  const { synchronous_commit: commit, synchronous_standby_names: standbys } = server;
  const version = Math.floor(Number(server.server_version_num) / 10_000);
  const isAlone = standbys === '' || commit === 'local' || commit === 'off';
  return [
    checkResult(
      `the Postgres of ${name} is ${OLDEST_VERSION} or newer`,
      version >= OLDEST_VERSION,
      `it is ${version}`,
      'upgrade it',
    ),
    checkResult(
      `the Postgres of ${name} is a primary that takes writes`,
      server.transaction_read_only === 'off',
      'it is a standby, or read-only',
      'the address in DATABASE_URL must lead to the primary',
    ),
    checkResult(
      `the archive of the Postgres of ${name} does not fail`,
      archiveFailedAt === null,
      `the newest attempt to archive failed at ${archiveFailedAt}`,
      'what was written since is in no backup: docs/runbook.md, ArchivingLate',
    ),
    checkResult(
      `what ${name} commits is on a disk of ${isAlone ? 'one server' : `the primary and of its standbys, "${standbys}"`}`,
      commit !== 'off',
      'a commit is answered before it is on any disk',
      'set synchronous_commit to on, or an approval may be lost that was acknowledged',
    ),
  ];
}

/** Whether the tables are those of the code, by the migrations of each. Exported for its test. */
export function compareMigrations(name: string, known: readonly string[], applied: readonly string[]): CheckResult[] {
  const missing = known.filter((each) => !applied.includes(each));
  const unknown = applied.filter((each) => !known.includes(each));
  return [
    checkResult(
      `${name} finds all the tables that it needs`,
      missing.length === 0,
      `its code is newer than its tables: ${missing.join(', ')} not applied`,
      'run the migrations: docker-compose run --rm migrate, or start it by npm start',
    ),
    checkResult(
      `${name} knows all of its tables`,
      unknown.length === 0,
      `its tables are newer than its code: it knows nothing of ${unknown.join(', ')}`,
      'after going back by one version all is well meanwhile; by more, start the version that made them (docs/operations.md)',
    ),
  ];
}

/** undefined_table, insufficient_privilege: no migration has run, which would have made the table and let the role ask. */
const NEVER_MIGRATED = /^(?:42P01|42501|3F000)$/;

/**
 * Lists, for /readyz, the conditions that a process waits for before it can use its database: a server that takes writes, and
 * each migration that it was built with. Asked each time, because either may come at any moment.
 * @throws while the database cannot be reached
 */
export async function lookForDatabase(em: EntityManager, schema: Schema): Promise<string[]> {
  const [server] = await read(
    em,
    sql`select ${computed('isReadOnly', 'text', sql`current_setting('transaction_read_only')`)}`,
  );
  if (server!.isReadOnly !== 'off') return ['a primary database'];
  const applied = await namesOfApplied(em);
  const missing = namesOf(schema.migrations).filter((name) => !applied.includes(name));
  return missing.map((name) => `migration ${name}`);
}

async function namesOfApplied(em: EntityManager): Promise<string[]> {
  try {
    return namesOf(await read(em, sql`select ${computed('name', 'text', sql`name`)} from migration`));
  } catch (error) {
    if (hasCode(error, NEVER_MIGRATED)) return [];
    throw error;
  }
}

const namesOf = (migrations: readonly { name: string }[]): string[] => migrations.map(({ name }) => name);
