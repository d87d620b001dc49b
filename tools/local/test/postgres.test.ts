import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, temporaryDirectory } from './support.js';
import { type Guardian, startGuardian } from '../guardian.js';
import { type Postgres, type PostgresOptions, startPostgres } from '../postgres.js';
import { startOf } from '../process-identity.js';

let guardian: Guardian;
beforeAll(async () => {
  guardian = await startGuardian();
});
afterAll(() => guardian[Symbol.asyncDispose]());

function optionsIn(dir: string, more: Partial<PostgresOptions> = {}): PostgresOptions {
  const logFile = join(dir, 'postgres.log');
  const base = { dataDir: join(dir, 'postgres'), password: 'secret', ports: 'free', durable: false } as const;
  return { ...base, logFile, guardian, report: () => {}, ...more };
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function pidOf({ process }: Postgres): Promise<number> {
  return process.pid ?? 0;
}

test('data is kept between runs, and fsync is off only for tests', async () => {
  const dir = temporaryDirectory();
  {
    await using postgres = await startPostgres(optionsIn(dir));
    await query(postgres.url, 'create table kept (id int)');
    expect(await query(postgres.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
  }
  await using postgres = await startPostgres(optionsIn(dir, { durable: true }));
  expect(await query(postgres.url, 'select * from kept')).toEqual([]);
  expect(await query(postgres.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  expect(await query(postgres.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
}, 60_000);

test('after SIGKILL Postgres is back on the same port with its data', async () => {
  await using postgres = await startPostgres(optionsIn(temporaryDirectory()));
  await query(postgres.url, 'create table kept (id int)');
  const pid = await pidOf(postgres);
  await postgres.process.kill('SIGKILL');
  await postgres.process.ready();
  expect(postgres.process.pid).not.toBe(pid);
  expect(await query(postgres.url, 'select * from kept')).toEqual([]);
}, 60_000);

test('a pid file and even a running server of an earlier run do not prevent a start', async () => {
  const dir = temporaryDirectory();
  const before = await startPostgres(optionsIn(dir));
  const pid = await pidOf(before);
  await using after = await startPostgres(optionsIn(dir));
  expect(await query(after.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  // Its supervisor would restart it; in a real earlier run the supervisor is dead too.
  await before.process.stop();
  await eventually(() => startOf(pid) === undefined);
}, 60_000);

test('a port that is in use is left to its owner', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await using postgres = await startPostgres(optionsIn(temporaryDirectory(), { ports: 'default', port }));
  expect(postgres.port).not.toBe(port);
  other.close();
}, 60_000);

test('data with another password is reported in one line, and no process is left running', async () => {
  const dir = temporaryDirectory();
  await (await startPostgres(optionsIn(dir)))[Symbol.asyncDispose]();
  await expect(startPostgres(optionsIn(dir, { password: 'other' }))).rejects.toThrow(/another password/);
}, 60_000);
