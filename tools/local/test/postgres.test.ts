import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, temporaryDirectory } from './support.js';
import { type Guardian, startGuardian } from '../guardian.js';
import { findPort } from '../ports.js';
import { type Postgres, type PostgresOptions, startPostgres } from '../postgres.js';
import { preparePostgresPrograms } from '../postgres-program.js';

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

test('the pid file of an earlier run does not prevent a start, even if another program has that pid now', async () => {
  const options = optionsIn(temporaryDirectory());
  await (await startPostgres(options))[Symbol.asyncDispose]();
  writeFileSync(pidFileOf(options), `${process.pid}\n`);
  await using postgres = await startPostgres(options);
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a server of an earlier run, whose supervisor is dead, is stopped before the start', async () => {
  const options = optionsIn(temporaryDirectory());
  await (await startPostgres(options))[Symbol.asyncDispose]();
  const earlier = startServerAlone(options, await findPort(0, 'free'));
  await eventually(() => existsSync(pidFileOf(options)) && readFileSync(pidFileOf(options), 'utf8').includes('ready'));
  await using postgres = await startPostgres(options);
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(earlier.exitCode).toBe(0);
});

function pidFileOf({ dataDir }: PostgresOptions): string {
  return join(dataDir, 'data', 'postmaster.pid');
}

function startServerAlone({ dataDir }: PostgresOptions, port: number): ChildProcess {
  const programs = preparePostgresPrograms(dataDir);
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const flags = ['-D', join(dataDir, 'data'), '-p', String(port), ...settings];
  const { command, args } = programs.commandFor('postgres', flags);
  return spawn(command, args, { ...programs.user, stdio: 'ignore' });
}

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
