import { globSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connected } from '@payroll/infra/postgres/bootstrap';
import { Backups } from '@payroll/tests/support/backups';
import { options, runCommand } from '@payroll/tools/cli';
import { seedDemo } from '@payroll/tools/demo/seed';
import { startThrowAwayStack } from '@payroll/tools/local/stack';
import { startTestServer } from '@payroll/tools/local/test-server';
import type { Client } from 'pg';
import { until } from '../until.js';

const USAGE = `Usage: npm run backup-figures

Measures what backups cost and how much of the work and of the time a lost machine costs, with pgBackRest and infra/postgres/backups.sh:
  1. the whole system with demo data, idle for 20 minutes: how much is archived in a day, and how long a change waits until it is
  2. a database of 3 GB: how long its backup and its restore on an empty folder take, with one process and with one for each processor, and
     how long Postgres then replays what was written since the backup, a third as much
Needs pgbackrest on the PATH, and disk for four times the database.
`;

const GB = 1e9;
const MB = 1e6;
/** How often a change is made to see how long it waits. It makes the system write more than it does by itself. */
const CHANGE_EVERY_MS = 300_000;
/** A row takes some 1 KB. A third of it compresses well, as text does, and the rest does not, as ids and digests do not. */
const ROWS_PER_GB = 950_000;

async function main(): Promise<void> {
  await idle(20);
  await restores(3);
}

async function idle(minutes: number): Promise<void> {
  // With full_page_writes, as a real server has it: these are most of what an idle one writes.
  await using stack = await startThrowAwayStack('backups', seedDemo, () => {}, { durable: true });
  const { dir, database, postgres } = stack;
  const { adminUrl } = database;
  const backups = await Backups.prepare({ dir, dataDir: join(dir, 'postgres', 'data'), adminUrl });
  await backups.startArchiving(postgres);
  await connected(adminUrl, (client) => client.query('select'));
  await backups.run(['check']);
  // Leaves out the work that follows from the start.
  await pause(120_000);
  const before = new Set(archived(backups));
  const started = performance.now();
  const waits: number[] = [];
  while (performance.now() - started < minutes * 60_000) {
    waits.push(await connected(adminUrl, waitUntilArchived));
    await pause(Math.max(0, Math.min(CHANGE_EVERY_MS, minutes * 60_000 - (performance.now() - started))));
  }
  const days = (performance.now() - started) / 86_400_000;
  const files = archived(backups).filter((file) => !before.has(file));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const perDay = bytes / days;
  console.log(
    `idle for ${minutes} min: ${files.length} segments archived, ${Math.round(bytes / files.length / 1e3)} KB each`,
  );
  console.log(`an idle day: ${Math.round(files.length / days)} segments, ${Math.round(perDay / MB)} MB of archive`);
  const most = Math.round((1_440 * bytes) / files.length / MB);
  console.log(`at one segment a minute, the most that archive_timeout makes of an idle system: ${most} MB a day`);
  console.log(`a change was archived after ${waits.map((ms) => `${Math.round(ms / 1_000)} s`).join(', ')}`);
}

/** Segments of the log in the repository. */
function archived(backups: Backups): string[] {
  const files = globSync(backups.path('repository/archive/payroll/*/*/*'));
  return files.filter((file) => /^[0-9A-F]{24}-/.test(basename(file)));
}

/** @returns how long a change waited until it was archived, in ms */
async function waitUntilArchived(client: Client): Promise<number> {
  await client.query("select pg_logical_emit_message(true, 'backup-figures', 'a change')");
  const started = performance.now();
  const { rows } = await client.query<{ segment: string }>(
    'select pg_walfile_name(pg_current_wal_insert_lsn()) as segment',
  );
  const query = 'select from pg_stat_archiver where last_archived_wal >= $1';
  await until(async () => (await client.query(query, [rows[0]!.segment])).rowCount !== 0, { everyMs: 100 });
  return performance.now() - started;
}

async function restores(gigabytes: number): Promise<void> {
  await using server = await startTestServer();
  const { dataDir, process: postgres } = server;
  const { adminUrl } = server.backends;
  const backups = await Backups.prepare({ dir: dirname(dirname(dataDir)), dataDir, adminUrl });
  const size = await connected(adminUrl, (client) => fill(client, 'before', gigabytes));
  console.log(`a database of ${(size / GB).toFixed(1)} GB`);
  await backups.startArchiving(postgres);
  await connected(adminUrl, (client) => client.query('select'));
  const backedUp = await timed(() => backups.run(['check']));
  console.log(`its first backup, with half of the processors: ${backedUp.toFixed(0)} s`);
  const log = await connected(adminUrl, async (client) => {
    const written = 'select pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::float8 as bytes';
    const before = await client.query<{ bytes: number }>(written, ['0/0']);
    await fill(client, 'after', gigabytes / 3);
    const after = await client.query<{ bytes: number }>(written, ['0/0']);
    await waitUntilArchived(client);
    return after.rows[0]!.bytes - before.rows[0]!.bytes;
  });
  for (const processors of new Set([1, availableParallelism()])) {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
    const restored = await timed(() => backups.run(['restore', 'newest'], { processors }));
    const recovered = await timed(async () => {
      await postgres.start();
      const query = 'select where not pg_is_in_recovery()';
      const isBack = (client: Client) => async () => (await client.query(query)).rowCount === 1;
      await connected(adminUrl, (client) => until(isBack(client), { everyMs: 100 }));
    });
    const isComplete = `select where (select count(*) from before) = $1 and (select count(*) from after) = $2`;
    const counts = [gigabytes, gigabytes / 3].map((each) => Math.round(ROWS_PER_GB * each));
    const { rowCount } = await connected(adminUrl, (client) => client.query(isComplete, counts));
    if (rowCount === 0) throw new Error('rows were lost');
    const rate = (size / MB / restored).toFixed(0);
    console.log(
      `restored with ${processors} ${processors === 1 ? 'process' : 'processes'}: ${restored.toFixed(0)} s, ${rate} MB/s; ` +
        `Postgres takes writes ${recovered.toFixed(0)} s later, with ${(log / GB).toFixed(1)} GB of log replayed`,
    );
  }
}

/** @returns the size of all databases */
async function fill(client: Client, table: string, gigabytes: number): Promise<number> {
  await client.query(`create table ${table} (id bigint, ids text, words text)`);
  await client.query(
    `insert into ${table}
     select i, (select string_agg(md5(i::text || j), '') from generate_series(1, 20) as j), repeat('a piece of work ', 20)
     from generate_series(1, $1::int) as i`,
    [Math.round(ROWS_PER_GB * gigabytes)],
  );
  await client.query(`create index on ${table} (id)`);
  await client.query('checkpoint');
  const sum = 'select sum(pg_database_size(oid))::float8 as bytes from pg_database';
  return (await client.query<{ bytes: number }>(sum)).rows[0]!.bytes;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

await runCommand('backup-figures', { usage: USAGE, read: options({}), run: main });
