import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeIdentifier } from 'pg';
import {
  bootstrapDatabase,
  bootstrapRoles,
  connected,
  type BootstrappedDatabase,
} from '@payroll/infra/postgres/bootstrap';
import { serviceSchemas } from '@payroll/infra/postgres/roles';
import { startBackends, type BackendOptions } from './backends.js';
import { startGuardian } from './guardian.js';
import { startNats, type Nats } from './nats.js';
import { startPostgres } from './postgres.js';
import { generateSecrets } from '@payroll/infra/secrets';

export type RunningTestBackends = Awaited<ReturnType<typeof startTestBackends>>;
export type TestBackends = RunningTestBackends['backends'];

/** A temporary Postgres and NATS, removed with the process that started them, however it ends. */
export async function startTestBackends() {
  return inTemporaryPlace(async (place, started) => {
    // With a database for each test file, autovacuum would start several workers a second.
    const { postgres, nats } = started.use(await startBackends({ ...place, settings: { autovacuum: 'off' } }));
    await bootstrapRoles(postgres.adminUrl, place.secrets.database);
    /** Plain data: a vitest global set-up can `provide` it to the workers. */
    return { backends: { adminUrl: postgres.adminUrl, natsUrls: nats.urls, secrets: place.secrets } };
  });
}

/** A fresh database with schemas, roles and their boundaries, before any migration. Names must be distinct. */
export function createDatabase({ adminUrl, secrets }: TestBackends, name: string): Promise<BootstrappedDatabase> {
  return bootstrapDatabase(adminUrl, { passwords: secrets.database, database: name });
}

/** Copies a database under another name, as a restored backup would be. The original may have no connections. */
export async function copyDatabase({ adminUrl }: TestBackends, of: string, copy: string): Promise<void> {
  const statement = `create database ${escapeIdentifier(copy)} template ${escapeIdentifier(of)}`;
  await connected(adminUrl, (client) => client.query(statement));
}

/** A separate NATS, for tests that would disturb others. */
export function startTestNats(): Promise<Nats> {
  return inTemporaryPlace(async (place, started) => {
    const { dir, secrets } = place;
    const logFile = join(dir, 'nats.log');
    const nats = await startNats({ ...place, home: join(dir, 'nats'), passwords: secrets.nats, logFile });
    // Dispose of the process only: the caller's handle may have been given another way to be disposed of.
    started.use(nats.process);
    return nats;
  });
}

/** A separate Postgres, for tests that stop it or read its log: `backends` are those of `createDatabase`. */
export function startTestServer(settings: Readonly<Record<string, string>> = {}) {
  return inTemporaryPlace(async (place, started) => {
    const { dir, secrets } = place;
    const dataDir = join(dir, 'postgres');
    const logFile = join(dir, 'postgres.log');
    const options = { ...place, dataDir, password: secrets.postgresPassword, settings, logFile };
    const { url, process } = started.use(await startPostgres(options));
    await bootstrapRoles(url, secrets.database);
    const backends = { adminUrl: url, natsUrls: {} as TestBackends['natsUrls'], secrets };
    return { backends, process, dataDir: join(dataDir, 'data'), logFile };
  });
}

/** In a directory that the guardian removes after it has stopped everything that runs in it. */
export async function inTemporaryPlace<Started extends object>(
  start: (place: BackendOptions, started: AsyncDisposableStack) => Promise<Started>,
) {
  const dir = await mkdtemp(join(tmpdir(), 'payroll-test-'));
  // Postgres may run as another user and must be able to traverse it.
  await chmod(dir, 0o711);
  await using started = new AsyncDisposableStack();
  const guardian = started.use(await startGuardian());
  guardian.removeAtEnd(dir);
  const secrets = generateSecrets();
  const result = await start({ dir, guardian, secrets, ports: 'free', durable: false, report: () => {} }, started);
  const kept = started.move();
  return Object.assign(result, { [Symbol.asyncDispose]: () => kept.disposeAsync() });
}

const ROLES = serviceSchemas.join(', ');

/** First in the search path, so that these functions replace Postgres' own. */
const CLOCK = `
  create schema if not exists test_clock;
  create table if not exists test_clock.ahead as select interval '0' as by;
  create or replace function test_clock.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + by from test_clock.ahead';
  create or replace function test_clock.now() returns timestamptz language sql stable
    as 'select pg_catalog.now() + by from test_clock.ahead';
  grant usage on schema test_clock to ${ROLES};
  grant select on test_clock.ahead to ${ROLES};
  grant execute on all functions in schema test_clock to ${ROLES};`;

/** The clock that Postgres shows to the services of one test database: its own, shifted by the test. */
export class TestClock {
  /** How far it is ahead of this machine's clock. */
  aheadMs = 0;

  private constructor(private readonly url: string) {}

  /**
   * Install before the services connect: open connections keep Postgres' own time. A copy of a database keeps the
   * shifted time.
   */
  static async install({ adminUrl }: { adminUrl: string }, database: string): Promise<TestClock> {
    const url = new URL(adminUrl);
    url.pathname = `/${encodeURIComponent(database)}`;
    const clock = new TestClock(url.href);
    const roles = serviceSchemas.map(
      (role) =>
        `alter role ${role} in database ${escapeIdentifier(database)} set search_path = test_clock, pg_catalog, ${role};`,
    );
    await clock.run(CLOCK + roles.join('\n'));
    await clock.readAhead();
    return clock;
  }

  async set(now: Date): Promise<void> {
    await this.run('update test_clock.ahead set by = $1 - pg_catalog.clock_timestamp()', [now.toISOString()]);
    await this.readAhead();
  }

  async pass(ms: number): Promise<void> {
    await this.run(`update test_clock.ahead set by = by + $1 * interval '1 ms'`, [ms]);
    await this.readAhead();
  }

  private async readAhead(): Promise<void> {
    const select = 'select (extract(epoch from by) * 1000)::float8 as ms from test_clock.ahead';
    await connected(this.url, async (client) => {
      this.aheadMs = (await client.query<{ ms: number }>(select)).rows[0]!.ms;
    });
  }

  private async run(statement: string, values?: unknown[]): Promise<void> {
    await connected(this.url, (client) => client.query(statement, values));
  }
}
