import { execFile } from 'node:child_process';
import { chown, copyFile, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { readStatement, type Statement } from '@payroll/provider-protocol';
import { Client } from 'pg';
import { vi } from 'vitest';
import { describeVerdict, judge } from '@payroll/tools/operate/judge';
import { repositoryRoot } from '@payroll/infra/processes';
import { ordersOf } from '../../support/provider-orders.js';
import { DatabaseSwitch } from '../../support/database-switch.js';
import type { System } from '../support.js';

export const eventually = { timeout: 60_000, interval: 200 };

/**
 * The database of a system, restored to a point in time by infra/maintenance/archive.sh. The provider's orders are not
 * restored.
 */
export class ArchivedDatabase extends DatabaseSwitch {
  readonly archiveDir: string;
  private readonly dataDir: string;

  private constructor(private readonly system: System) {
    super(system.stack.database.adminUrl);
    this.archiveDir = join(system.stack.dir, 'archive');
    this.dataDir = join(system.stack.dir, 'postgres', 'data');
  }

  static async start(system: System): Promise<ArchivedDatabase> {
    const archived = new ArchivedDatabase(system);
    await archived.startArchiving();
    return archived;
  }

  /** Postgres' user may execute this copy; it may not read the checkout. */
  get script(): string {
    return join(this.system.stack.dir, 'archive.sh');
  }

  private async startArchiving(): Promise<void> {
    const { dir, postgres } = this.system.stack;
    await copyFile(join(repositoryRoot, 'infra/maintenance/archive.sh'), this.script);
    await mkdir(join(dir, 'bin'));
    await symlink(join(import.meta.dirname, 'psql.mjs'), join(dir, 'bin', 'psql'));
    await mkdir(this.archiveDir);
    const { uid, gid } = await stat(this.dataDir);
    await chown(this.archiveDir, uid, gid);
    const settings = { archive_mode: 'on', archive_command: `ARCHIVE=${this.archiveDir} ${this.script} keep "%p" %f` };
    for (const [name, value] of Object.entries(settings)) {
      await this.rows(`alter system set ${name} = '${value}'`, [], 'postgres');
    }
    await postgres.stop();
    await postgres.start();
  }

  async baseBackup(): Promise<void> {
    const { dir, database } = this.system.stack;
    const env = {
      PATH: [join(dir, 'bin'), process.env['PATH']].join(delimiter),
      ...{ PGURL: database.adminUrl, PGDATA: this.dataDir, ARCHIVE: this.archiveDir },
    };
    await promisify(execFile)(this.script, ['base'], { env });
  }

  /** By Postgres' clock. */
  async moment(): Promise<string> {
    const [row] = await this.rows<{ moment: string }>('select clock_timestamp()::text as moment');
    return row!.moment;
  }

  /** Deletes Postgres' data directory and recovers the archive to the given moment. */
  async recoverTo(moment: string): Promise<void> {
    await this.archiveAll();
    const { postgres } = this.system.stack;
    await postgres.stop();
    const { uid, gid } = await stat(this.dataDir);
    await rm(this.dataDir, { recursive: true });
    const env = { PATH: process.env['PATH'], PGDATA: this.dataDir, ARCHIVE: this.archiveDir };
    await promisify(execFile)(this.script, ['recover', moment], { env, uid, gid, cwd: join(this.dataDir, '..') });
    await postgres.start();
    // During recovery Postgres answers reads only.
    const isReady = 'select where not pg_is_in_recovery()';
    await vi.waitUntil(async () => (await this.rows(isReady)).length === 1, eventually);
  }

  /**
   * Runs infra/maintenance/restore.sh with a copy of the database as the backup. CI has no psql and pg_restore of the server's
   * version: the programs in restore-programs do the same for such a copy.
   * @param running the ids of containers that the script finds running
   */
  async restore(copy: string, args: readonly string[], running = ''): Promise<string> {
    const { dir, database } = this.system.stack;
    const backup = join(dir, copy);
    await mkdir(backup, { recursive: true });
    await writeFile(join(backup, 'payroll.dump'), copy);
    const programs = join(import.meta.dirname, 'restore-programs');
    const env = {
      PATH: [programs, process.env['PATH']].join(delimiter),
      ...{ DATABASE_URL: database.adminUrl, NO_SECRETS: '1', RUNNING: running },
    };
    const script = join(repositoryRoot, 'infra/maintenance/restore.sh');
    return (await promisify(execFile)(script, [backup, ...args], { env })).stdout;
  }

  /** Resolves when all WAL written so far is in the archive. */
  private async archiveAll(): Promise<void> {
    const [written] = await this.rows<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment');
    const last = (): Promise<{ segment: string }[]> =>
      this.rows('select last_archived_wal as segment from pg_stat_archiver where last_archived_wal >= $1', [
        written!.segment,
      ]);
    await vi.waitUntil(async () => (await last()).length === 1, eventually);
  }

  /** The idempotency keys of all orders that the provider has ever received. */
  async orders(): Promise<string[]> {
    const ordered = await ordersOf(this.system.stack.file.provider);
    return ordered.map(({ idempotencyKey }) => idempotencyKey).toSorted();
  }

  /** The findings of `reconcile`, one line for each check that failed. */
  async wrong(statement?: Statement): Promise<string[]> {
    const owner = new Client(this.system.stack.database.ownerUrl);
    await owner.connect();
    try {
      return (await judge(owner, statement)).filter(({ findings }) => findings > 0).map(describeVerdict);
    } finally {
      await owner.end();
    }
  }

  /** The provider's statement of today. */
  async statement(): Promise<Statement> {
    const { url, key } = this.system.stack.file.provider;
    const day = new Date().toISOString().slice(0, 10);
    const answer = await fetch(`${url}/statements/${day}`, { headers: { authorization: `Bearer ${key}` } });
    return readStatement(await answer.text());
  }
}
