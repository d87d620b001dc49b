import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, startTestServer } from '@payroll/tools/local/test-server';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../processes.js';
import { bootstrapRoles, closeMaintenanceDatabases } from './bootstrap.js';

/** The settings of docker-compose.yml that say what Postgres logs and counts. */
const compose = parse(readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8'), {
  merge: true,
  maxAliasCount: -1,
}) as {
  services: { postgres: { command: string[] } };
};
const settings: Readonly<Record<string, string>> = Object.fromEntries(
  compose.services.postgres.command
    .filter((word) => /^(?:log_|shared_preload|pg_stat)/.test(word))
    .map((word) => word.split('=') as [string, string]),
);

const SECRET = 'planted-secret-4711';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => void (server = await startTestServer(settings)), 60_000);
afterAll(() => server[Symbol.asyncDispose]());

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}

test('slow and failed statements are found by their shape, and their values reach neither the log nor the figures', async () => {
  await closeMaintenanceDatabases(server.backends.adminUrl);
  const { ownerUrl } = await createDatabase(server.backends, 'statement_log');
  const owner = await connect(ownerUrl);
  await owner.query('create table review.account (email text primary key)');
  await owner.query('insert into review.account select $1 from pg_sleep(0.3)', [SECRET]);
  // As MikroORM sends it: the value is in the text.
  await owner.query(`select count(*) from review.account, pg_sleep(0.3) where email = '${SECRET}'`);
  await expect(owner.query('insert into review.account values ($1)', [SECRET])).rejects.toThrow('duplicate key');
  await expect(owner.query(`insert into review.account values ('${SECRET}')`)).rejects.toThrow('duplicate key');
  await expect(owner.query(`select '${SECRET}'::int`)).rejects.toThrow('invalid input');
  await owner.end();

  const admin = await connect(server.backends.adminUrl);
  const { rows } = await admin.query<{ query: string }>(
    'select query from pg_stat_statements where max_exec_time > 250',
  );
  const all = await admin.query<{ query: string }>('select query from pg_stat_statements');
  await admin.end();
  expect(rows.map(({ query }) => query)).toEqual(
    expect.arrayContaining([
      'insert into review.account select $1 from pg_sleep($2)',
      'select count(*) from review.account, pg_sleep($1) where email = $2',
    ]),
  );
  expect(JSON.stringify(all.rows)).not.toContain(SECRET);
  const log = readFileSync(server.logFile, 'utf8');
  expect(log).toContain('duplicate key value violates unique constraint');
  expect(log).not.toContain(`'${SECRET}'`);
  expect(log).not.toContain(`(${SECRET})`);
});

test('passwords of roles are not logged, even by a server that logs every statement', async () => {
  const before = await connect(server.backends.adminUrl);
  await before.query('alter role postgres set log_min_duration_statement = 0');
  await before.end();
  const admin = await connect(server.backends.adminUrl);
  await admin.query("select 'is logged'");
  const passwords = { ...server.backends.secrets.database, owner: SECRET };
  await bootstrapRoles(server.backends.adminUrl, passwords);
  await admin.end();
  const log = readFileSync(server.logFile, 'utf8');
  expect(log).toContain("'is logged'");
  for (const password of [SECRET, ...Object.values(passwords.services)]) expect(log).not.toContain(`'${password}'`);
});

test('Postgres in Kubernetes logs as little of statements as that of docker-compose.yml', () => {
  const file = join(repositoryRoot, 'infra/kubernetes/components/postgres/postgres.yaml');
  const cluster = parse(readFileSync(file, 'utf8')) as {
    spec: { postgresql: { parameters: Record<string, string> } };
  };
  const logged = Object.entries(settings).filter(([name]) => name.startsWith('log_'));
  expect(cluster.spec.postgresql.parameters).toMatchObject(Object.fromEntries(logged));
});
