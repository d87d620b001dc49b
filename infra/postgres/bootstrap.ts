import { recordOf } from '@payroll/kernel';
import { claimOf, otherClaim, StartError, type DeploymentName } from '@payroll/runtime';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import {
  databaseName,
  monitorRole,
  ownerRole,
  serviceRoleSettings,
  serviceSchemas,
  type DatabasePasswords,
  type ServiceSchema,
} from './roles.js';

/** The value is arbitrary, but every process that bootstraps this cluster must use the same one. */
const bootstrapLock = 7_215_001;

export interface BootstrappedDatabase {
  /** For migrations, as `payroll_owner`. */
  readonly ownerUrl: string;
  /** For the processes, each as the role named like its schema. */
  readonly urls: Readonly<Record<ServiceSchema, string>>;
}

/**
 * Creates roles, database, schemas and their boundaries; running it again changes nothing but the passwords.
 * @param adminUrl of a superuser or, on a managed server, of a role with CREATEROLE and CREATEDB
 */
export async function bootstrapPostgres(
  adminUrl: string,
  options: { passwords: DatabasePasswords; database?: string },
): Promise<BootstrappedDatabase> {
  await bootstrapRoles(adminUrl, options.passwords);
  return bootstrapDatabase(adminUrl, options);
}

/** The roles belong to the cluster: one run is enough for any number of databases. */
export async function bootstrapRoles(adminUrl: string, passwords: DatabasePasswords): Promise<void> {
  await exclusively(adminUrl, async (client) => {
    await ensureRole(client, ownerRole, passwords.owner);
    await joinOwner(client);
    const known = await client.query<{ name: string }>('select name from pg_settings where name = any($1)', [
      Object.keys(serviceRoleSettings).concat('TimeZone'),
    ]);
    // transaction_timeout needs Postgres 17; an older external server keeps the other timeouts.
    const settings = new Set(known.rows.map((row) => row.name.toLowerCase()));
    const limit = async (role: string): Promise<void> => {
      for (const [name, value] of Object.entries(serviceRoleSettings)) {
        if (settings.has(name)) await client.query(`alter role ${role} set ${name} = ${escapeLiteral(value)}`);
      }
    };
    for (const schema of serviceSchemas) {
      const role = escapeIdentifier(schema);
      await ensureRole(client, schema, passwords.services[schema]);
      await client.query(`alter role ${role} set search_path = ${role}`);
      await limit(role);
    }
    await ensureRole(client, monitorRole, passwords.monitor);
    await letMonitor(client);
    await limit(monitorRole);
  });
}

/** Creates one database with every schema; the roles must exist. */
export async function bootstrapDatabase(
  adminUrl: string,
  { passwords, database = databaseName }: { passwords: DatabasePasswords; database?: string },
): Promise<BootstrappedDatabase> {
  await exclusively(adminUrl, (client) => ensureDatabase(client, database));
  const admin = new URL(adminUrl);
  admin.pathname = `/${encodeURIComponent(database)}`;
  await exclusively(admin.href, ensureSchemas);
  const url = (user: string, password: string): string =>
    Object.assign(new URL(admin), { username: encodeURIComponent(user), password: encodeURIComponent(password) }).href;
  return {
    ownerUrl: url(ownerRole, passwords.owner),
    urls: recordOf(serviceSchemas, (schema) => url(schema, passwords.services[schema])),
  };
}

/** On our own cluster, closes the databases that every new cluster has to the service roles, and keeps figures of statements. */
export async function closeMaintenanceDatabases(adminUrl: string): Promise<void> {
  await exclusively(adminUrl, async (client) => {
    await client.query('revoke all on database postgres, template1 from public');
    const { rows } = await client.query<{ libraries: string }>(
      "select current_setting('shared_preload_libraries') as libraries",
    );
    if (rows[0]!.libraries.includes('pg_stat_statements')) {
      await client.query('create extension if not exists pg_stat_statements');
    }
  });
}

async function ensureRole(client: Client, name: string, password: string): Promise<void> {
  const { rows } = await client.query<{ mayTooMuch: boolean }>(
    `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as "mayTooMuch"
     from pg_roles where rolname = $1`,
    [name],
  );
  const role = escapeIdentifier(name);
  if (rows.length === 0) await client.query(`create role ${role}`);
  await client.query(`alter role ${role} login password ${escapeLiteral(password)}`);
  // Skip a role that is already correct: only a superuser may run this statement.
  if (rows[0]?.mayTooMuch) {
    await client.query(`alter role ${role} nosuperuser nocreatedb nocreaterole noreplication nobypassrls`);
  }
}

/** A role that is not a superuser creates and changes the owner's objects as a member of the owner. */
async function joinOwner(client: Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = current_user and rolsuper');
  if (rowCount === 0) await client.query(`grant ${ownerRole} to current_user`);
}

/** On a managed server only the provider's administrator may grant it: docs/scaling.md says how. */
async function letMonitor(client: Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_roles where rolname = current_user
     and (rolsuper or pg_has_role(current_user, 'pg_monitor', 'member with admin option'))`,
  );
  if (rowCount === 1) await client.query(`grant pg_monitor to ${monitorRole}`);
}

async function ensureDatabase(client: Client, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  const name = escapeIdentifier(database);
  if (rowCount === 0)
    await client.query(`create database ${name} owner ${ownerRole} encoding 'UTF8' template template0`);
  await client.query(`revoke all on database ${name} from public`);
  await client.query(`grant connect on database ${name} to ${[...serviceSchemas, monitorRole].join(', ')}`);
}

async function ensureSchemas(client: Client): Promise<void> {
  const schemas = serviceSchemas.map(
    (schema) =>
      `create schema if not exists ${schema} authorization ${ownerRole};
       revoke all on schema ${schema} from public;
       grant usage on schema ${schema} to ${schema};`,
  );
  // Postgres lets everyone execute a new function, so change the default privileges before any function is created.
  await client.query(`
    revoke all on schema public from public;
    ${schemas.join('\n')}
    alter default privileges for role ${ownerRole} revoke execute on functions from public;`);
}

/** An advisory lock per database: concurrent bootstraps would fail on each other's catalogue rows. */
async function exclusively<Result>(adminUrl: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  return connected(adminUrl, async (client) => {
    // The statements that set passwords must not reach a log; only a superuser may say so.
    await client.query(`
      select set_config(name, value, false)
      from (values ('log_min_duration_statement', '-1'), ('log_min_error_statement', 'panic')) as quiet (name, value)
      where (select rolsuper from pg_roles where rolname = current_user)`);
    await client.query('select pg_advisory_lock($1)', [bootstrapLock]);
    return work(client);
  });
}

export async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  // A job that waits for a lock or a large statement must notice that the server has vanished: without the delay the kernel
  // sends its first probe after two hours.
  const probes = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, ...probes });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * A database belongs to one deployment, or to one cell, permanently; its comment records which. This keeps credentials that a
 * demo printed out of a live deployment, and live data out of one with generated secrets. One that is still to be made is not
 * claimed.
 */
export async function claimFor(name: DeploymentName, adminUrl: string, database = databaseName): Promise<void> {
  await connected(adminUrl, async (client) => {
    const { rows } = await client.query<{ comment: string | null }>(
      "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1",
      [database],
    );
    if (rows.length === 0 || rows[0]!.comment === claimOf(name)) return;
    const why = otherClaim(rows[0]!.comment, name);
    if (why !== undefined) throw new StartError(why);
    await client.query(`comment on database ${escapeIdentifier(database)} is ${escapeLiteral(claimOf(name))}`);
  });
}
