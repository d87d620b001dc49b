import { existsSync, readFileSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { monitorRole } from '@payroll/infra/postgres/roles';
import { connected } from '@payroll/infra/postgres/bootstrap';
import { repositoryRoot } from '@payroll/infra/processes';
import { startTestServer } from '@payroll/tools/local/test-server';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backups, noPgBackRest, whyNoPgBackRest } from '../../support/backups.js';
import { eventually } from './archived-database.js';

const started = new AsyncDisposableStack();
afterAll(async () => await started.disposeAsync());

async function startBackedUp() {
  const server = started.use(await startTestServer());
  const { dataDir, process } = server;
  const { adminUrl, secrets } = server.backends;
  const dir = dirname(dirname(dataDir));
  const backups = await Backups.prepare({ dir, dataDir, adminUrl });
  await backups.startArchiving(process);
  return { backups, process, dataDir, adminUrl, secrets };
}

describe.skipIf(noPgBackRest)(`backups${whyNoPgBackRest}`, () => {
  let server: Awaited<ReturnType<typeof startBackedUp>>;
  beforeAll(async () => void (server = await startBackedUp()), 60_000);

  const rows = async (query: string, url = server.adminUrl): Promise<unknown[]> =>
    await connected(url, async (client) => (await client.query<Record<string, unknown>>(query)).rows);
  const wait = async (): Promise<void> =>
    await expect
      .poll(() => rows('select pg_is_in_recovery() as is').catch(() => []), eventually)
      .toEqual([{ is: false }]);
  const archiveAll = async (): Promise<void> => {
    await rows('select pg_switch_wal()');
    await expect
      .poll(() => rows("select from pg_ls_archive_statusdir() where name like '%.ready'"), eventually)
      .toEqual([]);
  };
  /** The last letter of a label says whether the backup is whole. */
  const kinds = async (): Promise<string> => (await server.backups.labels()).map((label) => label.at(-1)).join('');

  it('one is made each day, a whole one once a week, and the exporter gets its age', async () => {
    const { backups } = server;
    await backups.run(['check']);
    const ended = await backups.newest();
    expect(Math.abs(Date.now() - ended.getTime())).toBeLessThan(60_000);
    await backups.run(['check']);
    expect(await kinds()).toBe('F');
    await backups.run(['check'], { daysAhead: 1 });
    expect(await kinds()).toBe('FD');
    expect((await backups.newest()).getTime()).toBeGreaterThanOrEqual(ended.getTime());
    await backups.run(['check'], { daysAhead: 7 });
    expect(await kinds()).toBe('FDF');
  });

  it('a lost machine is restored from the repository with its key, and not without it', async () => {
    const { backups, process, dataDir } = server;
    await rows('create table kept as select generate_series(1, 1000) as id');
    await process.stop();
    await rm(dataDir, { recursive: true });
    await backups.configure({ key: 'another-key' });
    await expect(backups.run(['restore', 'newest'])).rejects.toThrow('nothing was restored');
    expect(existsSync(dataDir)).toBe(false);
    await backups.configure();
    expect(await backups.run(['restore', 'newest'])).toContain('start Postgres: it recovers all that was archived');
    await process.start();
    await wait();
    expect(await rows('select count(*)::int from kept')).toEqual([{ count: 1_000 }]);
  });

  it('a restored database is backed up at once: from there on no restore begins with a backup of what was given up', async () => {
    const before = await kinds();
    await archiveAll();
    await server.backups.run(['check']);
    expect(await kinds()).toBe(`${before}D`);
    await server.backups.run(['check']);
    expect(await kinds()).toBe(`${before}D`);
  });

  it('is not restored over a running Postgres, or one that has not archived all; if a restore fails, the data are as they were, else they stay beside', async () => {
    const { backups, process, dataDir } = server;
    await expect(backups.run(['restore', 'newest'])).rejects.toThrow('stop Postgres first');
    await process.stop();
    const late = join(dataDir, 'pg_wal/archive_status/000000010000000000000099.ready');
    await writeFile(late, '');
    await expect(backups.run(['restore', 'newest'])).rejects.toThrow('1 segments would be lost');
    await rm(late);
    const files = await readdir(dataDir);
    for (const [time, why] of [
      ['2001-01-01T00:00:00Z', 'unable to find backup set'],
      ['yesterdayish', 'TIME is a moment'],
    ]) {
      await expect(backups.run(['restore', time!])).rejects.toThrow(why);
      expect(await readdir(dataDir)).toEqual(files);
    }
    await backups.run(['restore', 'newest']);
    const left = (await readdir(dirname(dataDir))).filter((name) => name.includes('.left-'));
    expect(left).toHaveLength(1);
    expect(await readdir(join(dirname(dataDir), left[0]!))).toEqual(files);
    await process.start();
    await wait();
    expect(await rows('select count(*)::int from kept')).toEqual([{ count: 1_000 }]);
  });

  it('the exporter sees how long Postgres has waited to archive, and that it no longer does', async () => {
    const { backups, adminUrl, secrets } = server;
    const file = readFileSync(join(repositoryRoot, 'infra/monitoring/postgres-queries.yml'), 'utf8');
    const { query } = (parse(file) as { pg_archive: { query: string } }).pg_archive;
    const monitor = Object.assign(new URL(adminUrl), {
      username: monitorRole,
      password: secrets.database.monitor,
    }).href;
    const waiting = async (): Promise<number> =>
      ((await rows(query, monitor)) as { waiting_seconds: number }[])[0]!.waiting_seconds;
    await archiveAll();
    expect(await waiting()).toBe(0);
    await rename(backups.path('repository'), backups.path('gone'));
    await writeFile(backups.path('repository'), '');
    await rows('create table more ()');
    await rows('select pg_switch_wal()');
    await expect.poll(waiting, eventually).toBeGreaterThan(1);
    await expect(backups.run(['check'], { daysAhead: 30 })).rejects.toThrow();
    await rm(backups.path('repository'));
    await rename(backups.path('gone'), backups.path('repository'));
    // Postgres tries again after a minute.
    await expect.poll(waiting, { timeout: 90_000, interval: 500 }).toBe(0);
  }, 180_000);

  it('the newest state and a later moment are restored also where the newest backup is of what a restore has given up', async () => {
    const { backups, process } = server;
    const now = async (): Promise<string> => {
      const [row] = await rows(`select to_json(clock_timestamp() at time zone 'UTC') #>> '{}' || 'Z' as now`);
      return (row as { now: string }).now;
    };
    const restore = async (to: string): Promise<void> => {
      await archiveAll();
      await process.stop();
      await backups.run(['restore', to]);
      await process.start();
      await wait();
    };
    const early = await now();
    await rows('create table given_up ()');
    await backups.run(['make']);
    await rows('create table given_up_too ()');
    await restore(early);
    await rows('create table here ()');
    const later = await now();
    await rows('create table last ()');
    const tables = "select relname from pg_class where relname ~ '^(given_up|here|last)' order by 1";
    await restore('newest');
    expect(await rows(tables)).toEqual([{ relname: 'here' }, { relname: 'last' }]);
    await restore(later);
    expect(await rows(tables)).toEqual([{ relname: 'here' }]);
  }, 120_000);

  it('a new database is refused by the repository of another one, whose backups stay', async () => {
    const other = await startBackedUp();
    const before = await server.backups.labels();
    await other.backups.configure({ repository: server.backups.path('repository') });
    await expect(other.backups.run(['check'])).rejects.toThrow('do not match the database');
    expect(await server.backups.labels()).toEqual(before);
    // So BackupOld fires.
    expect(await other.backups.newest()).toEqual(new Date(0));
  });
});
