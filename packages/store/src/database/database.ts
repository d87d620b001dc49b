import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { type Constructor, type EntitySchemaWithMeta } from '@mikro-orm/core';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM, type Options, type PostgreSqlConnection } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import type { Client, PoolClient } from 'pg';
import { type DeploymentName, metrics, onScrape, otherClaim, Passwords, StartError } from '@payroll/runtime';
import { hasCode } from './database-error.js';
import { databaseAt, type DatabaseSettings, tlsOf } from './database-settings.js';

export interface Schema {
  /** The Postgres schema, which is also the name of the role that works in it. */
  name: string;
  tables: readonly EntitySchemaWithMeta[];
  /** In their order. Named here rather than found in the folder, where a build may have left what is gone. */
  migrations: readonly Constructor<Migration>[];
  /** The folder of the migrations, as compiled. */
  migrationsDir: string;
}

export function ormOptions(schema: Schema, database: DatabaseSettings): Options {
  const ssl = tlsOf(database.url);
  return {
    clientUrl: database.url,
    // A transaction sends its statements without waiting for the answers of those before.
    driverOptions: { pipeline: true, ...(ssl !== false && { ssl }) },
    entities: [...schema.tables],
    schema: schema.name,
    extensions: [Migrator],
    forceUtcTimezone: true,
    // It would make a misspelt database, or report why it cannot instead of the name.
    ensureDatabase: false,
    pool: { min: 0, max: database.poolSize },
    migrations: {
      path: schema.migrationsDir,
      migrationsList: [...schema.migrations],
      tableName: 'migration',
      snapshotName: '.tables',
      snapshot: false,
      silent: true,
      disableForeignKeys: false,
    },
  };
}

/** Not for migrations: they may wait long for Postgres. */
const CONNECTS_WITHIN_MS = 3_000;

/** More than the role's own time-outs (statements 3 s, transactions 5 s), which need a Postgres that answers. */
const SILENT_MS = 6_000;

/** As the schema's own role: no command has the owner's rights. @throws StartError when Postgres refuses. */
export async function openDatabase(
  schema: Schema,
  database: DatabaseSettings | string,
  role: string = schema.name,
): Promise<MikroORM> {
  const settings = typeof database === 'string' ? databaseAt(database) : database;
  const options = ormOptions(schema, settings);
  const orm = await MikroORM.init({
    ...options,
    driverOptions: {
      ...options.driverOptions,
      connectionTimeoutMillis: CONNECTS_WITHIN_MS,
      onConnect: (client: Client) => requireOwnPrimary(client, settings.deployment),
      onPoolCreated: (pool: Pool) => onPoolCreated(pool, settings),
    },
  });
  try {
    const [user] = await orm.em.fork().execute<{ name: string }[]>('select current_user as name');
    if (user?.name === role) return orm;
    throw new StartError(`DATABASE_URL: this needs the role ${role}, not ${user?.name}`);
  } catch (error) {
    await orm.close();
    if (error instanceof StartError) throw error;
    const { host } = new URL(settings.url);
    const why = error instanceof Error ? error.message.split('\n').at(-1)! : String(error);
    if (why.includes('client password must be')) {
      throw new StartError(`DATABASE_PASSWORD is missing: the Postgres at ${host} requires a password`);
    }
    if (hasCode(error, REFUSES))
      throw new StartError(`DATABASE_URL: the Postgres at ${host} refuses this process: ${why}`);
    throw new StartError(`DATABASE_URL: no Postgres lets us in at ${host} (${why}); start it or correct the address`);
  }
}

/** invalid_authorization_specification, invalid_password, and a database of another deployment or of none. */
const REFUSES = /^(?:28...|3D000)$/;

const TIMESTAMPTZ = 1184;

type Pool = Awaited<ReturnType<PostgreSqlConnection['getNativeClient']>>;

function onPoolCreated(pool: Pool, settings: DatabaseSettings): void {
  // Every read answers times as they go on the wire; the role's session is in UTC.
  pool.on('connect', (client) => client.setTypeParser(TIMESTAMPTZ, toInstant));
  closeSilentConnections(pool);
  closeConnectionsToStandbys(pool);
  tryBothPasswords(pool, settings);
}

/** invalid_password */
const WRONG_PASSWORD = /^28P01$/;

/** Postgres refuses a password before anything else, so no statement is sent twice. */
function tryBothPasswords(pool: Pool, { url, otherPassword }: DatabaseSettings): void {
  if (otherPassword === undefined) return;
  const passwords = new Passwords(decodeURIComponent(new URL(url).password), otherPassword);
  const connect = pool.connect.bind(pool);
  pool.options.password = () => passwords.current;
  const isRefusal = (error: unknown): boolean => hasCode(error, WRONG_PASSWORD);
  const connectByEither = () => passwords.connect<PoolClient>(() => connect(), isRefusal);
  const connectAndCall = callbackify(connectByEither);
  // Kysely awaits it, the pool's own `query` passes a callback.
  pool.connect = ((done?: Parameters<Pool['connect']>[0]) =>
    done === undefined
      ? connectByEither()
      : connectAndCall((error, client?: PoolClient) =>
          done(error ?? undefined, client, (failure?: Error | boolean) => client?.release(failure)),
        )) as Pool['connect'];
}

/**
 * Asked once of each new connection: its address may lead to a standby for a while, or after a restore to the database of another
 * cell, which has that cell's keys, sessions and payouts.
 * @throws SQLSTATE 25006 of a standby, 3D000 of another's database
 */
async function requireOwnPrimary(client: Client, deployment: DeploymentName | undefined): Promise<void> {
  const timer = setTimeout(() => socketOf(client).destroy(), CONNECTS_WITHIN_MS);
  try {
    const { rows } = await client.query<{ is_read_only: string; comment: string | null }>(
      `select current_setting('transaction_read_only') as is_read_only, shobj_description(oid, 'pg_database') as comment
       from pg_database where datname = current_database()`,
    );
    const { is_read_only, comment } = rows[0]!;
    const refuse = (why: string, code: string): Error => Object.assign(new Error(why), { code });
    if (is_read_only !== 'off') throw refuse('this server takes no writes: it is a standby, or read-only', '25006');
    const why = deployment && otherClaim(comment, deployment);
    if (why !== undefined) throw refuse(why, '3D000');
  } finally {
    clearTimeout(timer);
  }
}

/** It takes no writes, is in recovery, or is being shut down: the next connection may reach the primary, this one never will. */
const NO_PRIMARY = /^(?:25006|55000|57P0\d)$/;

function closeConnectionsToStandbys(pool: Pool): void {
  pool.on('connect', (client) => {
    // Only after the statement has failed with the error itself.
    client.connection.on('errorMessage', ({ code }: { code: string }) => {
      if (NO_PRIMARY.test(code)) setImmediate(() => socketOf(client).destroy());
    });
  });
}

function socketOf(client: Client): Socket {
  return client.connection.stream as Socket;
}

/**
 * A server, or one backend of it, that falls silent holds its connection no longer than this. Releasing it to the pool as broken
 * would not close it, as statements are pipelined. One time-out of the socket, not pg's `query_timeout`: a timer for each query
 * keeps its rows alive, and costs a list of 50 a fifth of its CPU.
 */
function closeSilentConnections(pool: Pool): void {
  const inUse = new WeakSet<object>();
  pool.on('acquire', (client) => inUse.add(client));
  // One that is closed first answers what was sent before.
  pool.on('release', (isClosed, client) => !isClosed && inUse.delete(client));
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    // Not as the argument of setTimeout, which would hear only the first: that of an idle connection, which stays.
    socket.setTimeout(SILENT_MS).on('timeout', () => inUse.has(client) && socket.destroy());
  });
}

/** Has the connections to Postgres counted at each scrape: a pool that is used up looks like a slow database. */
export function observePool(em: EntityManager): Disposable {
  return onScrape({
    name: 'database-pool',
    read: async () => {
      const pool = await em.getConnection().getNativeClient();
      metrics.databaseConnections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      metrics.databaseConnections.set({ state: 'idle' }, pool.idleCount);
      metrics.databaseWaiting.set({}, pool.waitingCount);
    },
    sets: [metrics.databaseConnections, metrics.databaseWaiting],
  });
}
