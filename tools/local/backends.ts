import { join } from 'node:path';
import { StartError } from '@payroll/runtime';
import { recordOf, SERVICES, type ServiceName } from '@payroll/kernel';
import {
  bootstrapPostgres,
  closeMaintenanceDatabases,
  type BootstrappedDatabase,
} from '@payroll/infra/postgres/bootstrap';
import type { Guardian } from './guardian.js';
import { requireNats, startNats, type Nats } from './nats.js';
import type { PortChoice } from './ports.js';
import { startPostgres } from './postgres.js';
import type { Secrets } from '@payroll/infra/secrets';
import type { Supervised } from './supervisor.js';

export interface BackendOptions {
  /** Data, logs, secrets and `stack.json`. */
  readonly dir: string;
  readonly ports: PortChoice;
  /** false: Postgres without fsync, for tests. */
  readonly durable: boolean;
  readonly secrets: Secrets;
  readonly guardian: Guardian;
  readonly report: (line: string) => void;
  /** Settings of Postgres, beside ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The URL of an existing server to use instead: of a superuser, or of a role that may create roles and databases. */
  readonly databaseUrl?: string | undefined;
  /** An existing server to use instead: one URL for every process, or one URL each. */
  readonly natsUrl?: string | Readonly<Record<ServiceName, string>> | undefined;
}

export type Backends = Awaited<ReturnType<typeof startBackends>>;

/** `process` is undefined for an external server, which we must not stop. */
interface PostgresBackend {
  readonly adminUrl: string;
  readonly process: Supervised | undefined;
}

type NatsBackend = Pick<Nats, 'url' | 'urls'> & { process: Nats['process'] | undefined };

/** Postgres and NATS at the same time; if one fails, the other is stopped. */
export async function startBackends(options: BackendOptions) {
  const starting = [postgresBackend(options), natsBackend(options)] as const;
  const settled = await Promise.allSettled(starting);
  const stop = async (): Promise<void> => {
    await Promise.all(settled.map(async (each) => each.status === 'fulfilled' && each.value.process?.stop()));
  };
  try {
    const [postgres, nats] = await Promise.all(starting);
    return { postgres, nats, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
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
  if (natsUrl !== undefined) {
    const urls = typeof natsUrl === 'object' ? natsUrl : recordOf(SERVICES, () => checked('NATS_URL', natsUrl));
    if (typeof natsUrl === 'string') await requireNats(natsUrl);
    return { url: urls.workspaces, urls, process: undefined };
  }
  return startNats({
    ...options,
    home: join(dir, 'nats'),
    passwords: secrets.nats,
    logFile: join(dir, 'logs', 'nats.log'),
  });
}

/** Creates the roles and the database; an unusable external server is reported in one line. */
export async function bootstrapBackend(postgres: PostgresBackend, secrets: Secrets): Promise<BootstrappedDatabase> {
  try {
    return await bootstrapPostgres(postgres.adminUrl, { passwords: secrets.database });
  } catch (error) {
    if (postgres.process !== undefined) throw error;
    const why = error instanceof AggregateError ? error.errors.join(', ') : String(error);
    throw new StartError(`DATABASE_URL does not work, its role must be able to make roles and databases: ${why}`, {
      cause: error,
    });
  }
}

function checked(name: string, url: string): string {
  if (URL.canParse(url)) return url;
  throw new StartError(`${name} is not a URL: correct it, or unset it to use a server of our own`);
}

export type BackendControl = ReturnType<typeof controlOf>;

/** Lets tests stop Postgres or NATS. Throws if the server is external. */
export function controlOf(process: Supervised | undefined) {
  const own = (): Supervised => {
    if (process === undefined) throw new Error('this server is not ours to stop');
    return process;
  };
  return {
    get pid() {
      return process?.pid;
    },
    /** It stays stopped until `start`. */
    stop: async () => own().stop(),
    start: async () => own().start(),
    /** Resolves when it has ended; it is then restarted. */
    kill: async (signal?: NodeJS.Signals) => own().kill(signal),
  };
}
