import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { StartError } from '@payroll/runtime';
import type { Guardian } from './guardian.js';
import { type PortChoice, startOnPort } from './ports.js';
import { type PostgresPrograms, preparePostgresPrograms } from './postgres-program.js';
import { commandLineOf, hasEnded, startOf } from './process-identity.js';
import { runToEnd } from './run-to-end.js';
import { Supervised } from './supervisor.js';

export interface PostgresOptions {
  /** Created if missing, kept afterwards. */
  readonly dataDir: string;
  /** The superuser's, set when the data directory is created. */
  readonly password: string;
  /** Used if no program listens there; default 5432. */
  readonly port?: number;
  readonly ports?: PortChoice;
  /** false: no fsync, for disposable test data. */
  readonly durable: boolean;
  /** Beside ours. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly guardian: Guardian;
  readonly report: (line: string) => void;
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** A Postgres of our own on loopback, restarted if it dies. */
export async function startPostgres(options: PostgresOptions) {
  const home = resolve(options.dataDir);
  const dataDir = join(home, 'data');
  const programs = preparePostgresPrograms(home);
  await initialiseData(options, dataDir, programs);
  await clearStalePid(dataDir);
  // Another program took the port, or a killed server's children still hold the memory.
  const transient = /could not bind|Address already in use|could not create any TCP|still in use/i;
  return startOnPort({ port: options.port ?? 5432, ports: options.ports }, transient, async (port) => {
    /** The superuser's URL. */
    const url = `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`;
    const process = superviseServer({ ...options, programs, dataDir, port, url });
    await process.start();
    return { url, port, process, [Symbol.asyncDispose]: () => process.stop() };
  });
}

interface ServerOptions extends PostgresOptions {
  readonly programs: PostgresPrograms;
  readonly port: number;
  readonly url: string;
}

function superviseServer({ programs, dataDir, port, url, durable, ...options }: ServerOptions): Supervised {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Six processes with a pool each, twice while one is replaced, and room for psql.
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Even then nothing committed is lost to SIGKILL, only to a crash of the host: synchronous_commit stays on.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return new Supervised(
    {
      name: 'postgres',
      ...programs.commandFor('postgres', ['-D', dataDir, '-p', String(port), ...flags]),
      user: programs.user,
      env: postgresEnv(),
      logFile: options.logFile,
      isReady: () => answers(url),
      startAttempts: 1,
      // The fast shutdown: SIGTERM would wait until every client has disconnected.
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
      throw new StartError(
        'the database in .local has another password than secrets.json: remove .local to begin anew',
      );
    }
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Creates the data directory once, with a fixed locale and clock, so that order and dates do not depend on the host.
 */
async function initialiseData(
  { durable, password, logFile, guardian }: PostgresOptions,
  dataDir: string,
  programs: PostgresPrograms,
): Promise<void> {
  if (existsSync(dataDir)) return;
  // Created under another name, so that an interrupted initdb leaves nothing that looks like data.
  const newDir = `${dataDir}.new`;
  const passwordFile = `${dataDir}.password`;
  rmSync(newDir, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (programs.user !== undefined) chownSync(passwordFile, programs.user.uid, programs.user.gid);
  const command = programs.commandFor('initdb', [
    `--pgdata=${newDir}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ]);
  try {
    await runToEnd({ name: 'initdb', ...command, env: postgresEnv(), user: programs.user, logFile }, guardian);
    renameSync(newDir, dataDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(newDir, { recursive: true, force: true });
  }
}

function postgresEnv(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', TZ: 'UTC', LC_ALL: 'C' };
}

/** Postgres refuses to start if `postmaster.pid` names a living process: its old server, or one that reuses the pid. */
async function clearStalePid(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const start = startOf(pid);
  const isOurs = start !== undefined && (commandLineOf(pid)?.includes(dataDir) ?? false);
  if (isOurs) {
    const endsBy = async (signal: NodeJS.Signals, withinMs: number): Promise<boolean> => {
      process.kill(pid, signal);
      return await hasEnded({ pid, start }, withinMs);
    };
    if (!(await endsBy('SIGINT', 10_000)) && !(await endsBy('SIGQUIT', 5_000))) {
      throw new StartError(`a Postgres of an earlier run hangs: stop it with  kill -9 ${pid}`);
    }
  }
  rmSync(file, { force: true });
}
