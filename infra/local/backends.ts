import { join } from 'node:path';
import { byName } from '@payroll/kernel';
import { natsUsers, type NatsUser } from '../nats/permissions.js';
import { bootstrapPostgres, closeMaintenanceDatabases, type BootstrappedDatabase } from '../postgres/bootstrap.js';
import type { Guardian } from './guardian.js';
import { requireNats, startNats } from './nats.js';
import type { PortChoice } from './ports.js';
import { startPostgres } from './postgres.js';
import type { Secrets } from './secrets.js';
import { StartupError } from './startup-error.js';
import type { Supervised } from './supervisor.js';

export interface BackendOptions {
  readonly dir: string;
  readonly ports: PortChoice;
  readonly durable: boolean;
  readonly secrets: Secrets;
  readonly guardian: Guardian;
  readonly report: (line: string) => void;
  /** The URL of a superuser, or of a role that may make roles and databases: this server is then used instead of one of ours. */
  readonly databaseUrl?: string | undefined;
  /** Then used for every process, where a server of somebody else has not our users; or each one's own. */
  readonly natsUrl?: string | Readonly<Record<NatsUser, string>> | undefined;
}

/** Undefined `process`: not ours, so not ours to stop. */
export interface PostgresBackend {
  readonly adminUrl: string;
  readonly process: Supervised | undefined;
}

interface NatsBackend {
  readonly url: string;
  readonly urls: Readonly<Record<NatsUser, string>>;
  readonly process: Supervised | undefined;
  readonly wipe: (() => Promise<void>) | undefined;
}

export interface Backends extends AsyncDisposable {
  readonly postgres: PostgresBackend;
  readonly nats: NatsBackend;
}

/** Postgres and NATS at the same time; if one fails, the other is stopped. */
export async function startBackends(options: BackendOptions): Promise<Backends> {
  const [postgres, nats] = await Promise.allSettled([postgresBackend(options), natsBackend(options)]);
  const stop = async (): Promise<void> => {
    const started = [postgres, nats].flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await Promise.all(started.map(async (backend) => backend.process?.stop()));
  };
  if (postgres.status === 'fulfilled' && nats.status === 'fulfilled') {
    return { postgres: postgres.value, nats: nats.value, [Symbol.asyncDispose]: stop };
  }
  await stop();
  throw postgres.status === 'rejected' ? postgres.reason : (nats as PromiseRejectedResult).reason;
}

async function postgresBackend(options: BackendOptions): Promise<PostgresBackend> {
  const { dir, databaseUrl, secrets } = options;
  if (databaseUrl !== undefined) return { adminUrl: checked('DATABASE_URL', databaseUrl), process: undefined };
  const { url, process } = await startPostgres({
    ...options,
    dataDir: join(dir, 'postgres'),
    password: secrets.postgresPassword,
    logFile: join(dir, 'logs', 'postgres.log'),
  });
  await closeMaintenanceDatabases(url);
  return { adminUrl: url, process };
}

async function natsBackend(options: BackendOptions): Promise<NatsBackend> {
  const { dir, natsUrl, secrets } = options;
  if (typeof natsUrl === 'object') {
    return { url: natsUrl.workspaces, urls: natsUrl, process: undefined, wipe: undefined };
  }
  if (natsUrl !== undefined) {
    const url = checked('NATS_URL', natsUrl);
    await requireNats(url);
    return { url, urls: byName(natsUsers, () => url), process: undefined, wipe: undefined };
  }
  return startNats({
    ...options,
    storeDir: join(dir, 'nats'),
    passwords: secrets.nats,
    logFile: join(dir, 'logs', 'nats.log'),
  });
}

/** The roles and the database; a server that cannot be used is told in one line. */
export async function bootstrapBackend(postgres: PostgresBackend, secrets: Secrets): Promise<BootstrappedDatabase> {
  try {
    return await bootstrapPostgres(postgres.adminUrl, { passwords: secrets.database });
  } catch (error) {
    if (postgres.process !== undefined) throw error;
    const why = error instanceof AggregateError ? error.errors.join(', ') : String(error);
    throw new StartupError(`DATABASE_URL does not work, its role must be able to make roles and databases: ${why}`, {
      cause: error,
    });
  }
}

function checked(name: string, url: string): string {
  if (URL.canParse(url)) return url;
  throw new StartupError(`${name} is not a URL: correct it, or unset it to use a server of our own`);
}

/** Postgres or NATS in the hands of tests that take them away. Throws where the server is not ours. */
export interface BackendControl {
  readonly pid: number | undefined;
  /** It stays away until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Resolves when it has ended; it is restarted. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export function controlOf(process: Supervised | undefined): BackendControl {
  const own = (): Supervised => {
    if (process === undefined) throw new Error('this server is not ours to stop');
    return process;
  };
  return {
    get pid() {
      return process?.pid;
    },
    stop: async () => own().stop(),
    start: async () => own().start(),
    kill: async (signal) => own().kill(signal),
  };
}
