import { join, resolve } from 'node:path';
import { Client } from 'pg';
import type { Guardian } from './guardian.js';
import { type PortChoice, findPort, releasePort } from './ports.js';
import { clearStalePid, initialiseData, postgresEnv } from './postgres-data.js';
import { type PostgresPrograms, preparePostgresPrograms } from './postgres-program.js';
import { StartupError } from './startup-error.js';
import { type Supervised, supervise } from './supervisor.js';

export interface PostgresOptions {
  /** Made if missing, kept afterwards. */
  readonly dataDir: string;
  /** The superuser's, set when the data directory is made. */
  readonly password: string;
  /** Taken if nobody listens there. */
  readonly port?: number;
  readonly ports?: PortChoice;
  /** false: no fsync, for tests whose data nobody misses. */
  readonly durable: boolean;
  readonly logFile: string;
  readonly guardian: Guardian;
  readonly report: (line: string) => void;
}

export interface Postgres extends AsyncDisposable {
  /** The superuser's. */
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  readonly process: Supervised;
}

/** Starts a Postgres of our own on loopback and restarts it if it dies. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const home = resolve(options.dataDir);
  const dataDir = join(home, 'data');
  const programs = preparePostgresPrograms(home);
  await initialiseData({ ...options, programs, dataDir });
  await clearStalePid(dataDir);
  for (let attempt = 1; ; attempt++) {
    const port = await findPort(options.port ?? 5432, attempt === 1 ? options.ports : 'free');
    const url = `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`;
    const process = superviseServer({ options, programs, dataDir, port, url });
    try {
      await process.start();
    } catch (error) {
      // Somebody took the port between the look and the start, or a killed server's children still hold the memory.
      const transient = /could not bind|Address already in use|could not create any TCP|still in use/i.test(
        String(error),
      );
      if (transient && attempt < 5) continue;
      throw error;
    } finally {
      releasePort(port);
    }
    return {
      url,
      port,
      process,
      get pid() {
        return process.pid;
      },
      [Symbol.asyncDispose]: () => process.stop(),
    };
  }
}

function superviseServer(server: {
  options: PostgresOptions;
  programs: PostgresPrograms;
  dataDir: string;
  port: number;
  url: string;
}): Supervised {
  const { options, programs, dataDir, port, url } = server;
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Six processes with a pool each, twice over while one is replaced, and room for psql.
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Even then nothing committed is lost to SIGKILL, only to a crash of the host: synchronous_commit stays on.
    ...(options.durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return supervise(
    {
      name: 'postgres',
      ...programs.commandFor('postgres', ['-D', dataDir, '-p', String(port), ...flags]),
      ...(programs.user === undefined ? {} : { user: programs.user }),
      env: postgresEnv(),
      logFile: options.logFile,
      isReady: () => answers(url),
      startAttempts: 1,
      // The fast shutdown: SIGTERM would wait until every client has gone.
      stopSignal: 'SIGINT',
      stopWithinMs: 15_000,
    },
    options,
  );
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '28P01') {
      throw new StartupError(
        'the database in .local has another password than secrets.json: remove .local to begin anew',
      );
    }
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
