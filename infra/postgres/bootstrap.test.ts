import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { type RunningTestBackends, createDatabase, startTestBackends } from '@payroll/tools/local/test-server';
import { bootstrapPostgres, claimFor, type BootstrappedDatabase } from './bootstrap.js';
import { monitorRole, serviceSchemas } from './roles.js';

let running: RunningTestBackends;
let database: BootstrappedDatabase;
beforeAll(async () => {
  running = await startTestBackends();
  database = await createDatabase(running.backends, 'isolation');
  const tables = serviceSchemas.map(
    (schema) =>
      `create table ${schema}.entries (id int); grant select, insert on ${schema}.entries to ${schema};
       create function ${schema}.secret() returns int language sql as 'select 1';`,
  );
  await as(database.ownerUrl, tables.join('\n'));
}, 60_000);
afterAll(() => running[Symbol.asyncDispose]());

async function as(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const pairs = serviceSchemas.flatMap((role) =>
  serviceSchemas.filter((other) => other !== role).map((other) => [role, other] as const),
);

test.each(pairs)('%s is refused all access to %s', async (role, other) => {
  const url = database.urls[role];
  await expect(as(url, `select * from ${other}.entries`)).rejects.toThrow(`permission denied for schema ${other}`);
  await expect(as(url, `insert into ${other}.entries values (1)`)).rejects.toThrow('permission denied');
  await expect(as(url, `create table ${other}.mine (id int)`)).rejects.toThrow('permission denied');
  await expect(as(url, `select ${other}.secret()`)).rejects.toThrow('permission denied');
  await expect(as(url, `set role ${other}`)).rejects.toThrow('permission denied');
});

test.each(serviceSchemas)('%s may do in its own schema what a migration has granted, and no more', async (role) => {
  const url = database.urls[role];
  await as(url, 'insert into entries values (1)');
  expect(await as(url, 'select * from entries')).toEqual([{ id: 1 }]);
  await expect(as(url, 'delete from entries')).rejects.toThrow('permission denied for table entries');
  await expect(as(url, 'update entries set id = 2')).rejects.toThrow('permission denied for table entries');
  await expect(as(url, 'select secret()')).rejects.toThrow('permission denied for function secret');
  await expect(as(url, 'create table mine (id int)')).rejects.toThrow('permission denied');
  await expect(as(url, 'create table public.mine (id int)')).rejects.toThrow('permission denied for schema public');
  await expect(as(url, 'create temporary table mine (id int)')).rejects.toThrow('permission denied');
  await expect(as(url, 'set role payroll_owner')).rejects.toThrow('permission denied');
});

test.each(serviceSchemas)('%s has its own search path and timeouts', async (role) => {
  const settings = `select current_setting('search_path') as path, current_setting('lock_timeout') as lock,
    current_setting('statement_timeout') as statement, current_setting('transaction_timeout') as transaction,
    current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone`;
  const nets = { lock: '1s', statement: '3s', transaction: '5s', idle: '5s', zone: 'UTC' };
  expect(await as(database.urls[role], settings)).toEqual([{ path: role, ...nets }]);
});

test('the owner has no timeouts, because a migration may take long', async () => {
  expect(await as(database.ownerUrl, 'show statement_timeout')).toEqual([{ statement_timeout: '0' }]);
});

/** The exporter's role in the database of these tests. */
function monitorUrl(): string {
  const url = new URL(database.ownerUrl);
  return Object.assign(url, { username: monitorRole, password: running.backends.secrets.database.monitor }).href;
}

test('the role of the exporter reads the statistics of all roles, and no table of a service', async () => {
  const seen = await as(monitorUrl(), 'select query from pg_stat_activity where pid <> pg_backend_pid()');
  expect(seen).not.toContainEqual({ query: '<insufficient privilege>' });
  const roles = 'select rolname from pg_roles where pg_has_role(current_user, oid, $$member$$) order by 1';
  expect(await as(monitorUrl(), roles)).toEqual(
    [monitorRole, ...['pg_monitor', 'pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables']].map(
      (rolname) => ({ rolname }),
    ),
  );
  for (const schema of serviceSchemas) {
    await expect(as(monitorUrl(), `select * from ${schema}.entries`)).rejects.toThrow('permission denied for schema');
    await expect(as(monitorUrl(), `select ${schema}.secret()`)).rejects.toThrow('permission denied');
  }
  await expect(as(monitorUrl(), 'create table public.mine (id int)')).rejects.toThrow('permission denied');
});

test('the query of the exporter knows how many standbys a commit waits for, in every form of the setting', async () => {
  const file = readFileSync(join(import.meta.dirname, '../monitoring/postgres-queries.yml'), 'utf8');
  const { query } = (parse(file) as { pg_synchronous_standbys: { query: string } }).pg_synchronous_standbys;
  const forms: Record<string, number> = {
    '': 0,
    '*': 1,
    'db2, db3': 1,
    'ANY 1 (db2, db3)': 1,
    'first 2 (db2, db3)': 2,
    '2 (db2, db3)': 2,
    '"ANY 3 (x)"': 1,
  };
  // Set, it would let no later test commit.
  onTestFinished(async () => {
    await as(running.backends.adminUrl, 'alter system reset synchronous_standby_names');
    await as(running.backends.adminUrl, 'select pg_reload_conf()');
  });
  for (const [setting, required] of Object.entries(forms)) {
    await as(running.backends.adminUrl, `alter system set synchronous_standby_names = '${setting}'`);
    await as(running.backends.adminUrl, 'select pg_reload_conf()');
    await expect
      .poll(() => as(monitorUrl(), 'show synchronous_standby_names'))
      .toEqual([{ synchronous_standby_names: setting }]);
    expect(await as(monitorUrl(), query), setting).toEqual([{ connected: '0', required }]);
  }
});

test('a service role can connect only to databases made for it', async () => {
  for (const other of ['postgres', 'template1']) {
    const url = new URL(database.urls.review);
    url.pathname = `/${other}`;
    await expect(as(url.href, 'select 1')).rejects.toThrow(`permission denied for database "${other}"`);
  }
});

test('bootstrapping again, and several times at once, changes nothing', async () => {
  const { adminUrl, secrets } = running.backends;
  const options = { passwords: secrets.database, database: 'isolation' };
  await Promise.all([1, 2, 3].map(() => bootstrapPostgres(adminUrl, options)));
  expect(await as(database.urls.contracts, 'select count(*)::int as n from entries')).toEqual([{ n: 1 }]);
});

test('bootstraps as a role with CREATEROLE and CREATEDB, as on a managed Postgres without superuser', async () => {
  await using managed = await startTestBackends();
  const { adminUrl, secrets } = managed.backends;
  await as(adminUrl, `drop role payroll_owner, payroll_monitor, ${serviceSchemas.join(', ')}`);
  await as(adminUrl, "create role customer login createrole createdb password 'customer'");
  await as(adminUrl, 'grant connect on database postgres to customer');
  const url = Object.assign(new URL(adminUrl), { username: 'customer', password: 'customer' }).href;
  const options = { passwords: secrets.database };
  for (const _ of ['first', 'again']) {
    const { ownerUrl, urls } = await bootstrapPostgres(url, options);
    await claimFor('live', url);
    await as(ownerUrl, 'create table if not exists review.entries (id int)');
    await expect(as(urls.contracts, 'select * from review.entries')).rejects.toThrow('permission denied for schema');
    await expect(as(urls.review, 'create table mine (id int)')).rejects.toThrow('permission denied');
  }
  const extras = 'rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls';
  const made = `select count(*)::int as n from pg_roles where rolname = any($$\{${[...serviceSchemas, monitorRole].join()}}$$) and (${extras})`;
  expect(await as(adminUrl, made)).toEqual([{ n: 0 }]);
});

test('excess privileges of a service role are revoked', async () => {
  const { adminUrl, secrets } = running.backends;
  await as(adminUrl, 'alter role review createdb bypassrls');
  await bootstrapPostgres(adminUrl, { passwords: secrets.database, database: 'isolation' });
  const review = "select rolcreatedb, rolbypassrls from pg_roles where rolname = 'review'";
  expect(await as(adminUrl, review)).toEqual([{ rolcreatedb: false, rolbypassrls: false }]);
});

test('a live deployment refuses the database of a test deployment, and the other way round', async () => {
  const { adminUrl } = running.backends;
  for (const _ of ['first', 'again']) await claimFor('test', adminUrl, 'isolation');
  await expect(claimFor('live', adminUrl, 'isolation')).rejects.toThrow(
    'DEPLOYMENT and CELL say live, but the database was made for test',
  );
  await createDatabase(running.backends, 'living');
  await claimFor('live', adminUrl, 'living');
  await expect(claimFor('test', adminUrl, 'living')).rejects.toThrow('made for live');
});

test('the database of a cell is refused by another cell and by a deployment without cells, and the other way round', async () => {
  const { adminUrl } = running.backends;
  await claimFor('live_eu1', adminUrl, 'in_eu1');
  await createDatabase(running.backends, 'in_eu1');
  for (const _ of ['first', 'again']) await claimFor('live_eu1', adminUrl, 'in_eu1');
  for (const other of ['live_us1', 'live', 'test_eu1'] as const) {
    await expect(claimFor(other, adminUrl, 'in_eu1')).rejects.toThrow(
      `say ${other}, but the database was made for live_eu1`,
    );
  }
  await expect(claimFor('live_eu1', adminUrl, 'living')).rejects.toThrow('was made for live:');
});
