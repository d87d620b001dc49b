import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readStatement, type Statement } from '@payroll/provider-protocol';
import { Client } from 'pg';
import { vi } from 'vitest';
import { describeVerdict, runConsistencyChecks } from '@payroll/tools/operate/judge';
import { Backups } from '../../support/backups.js';
import { ordersOf } from '../../support/provider-orders.js';
import { DatabaseSwitch } from '../../support/database-switch.js';
import type { System } from '../support.js';

export const eventually = { timeout: 60_000, interval: 200 };

/** The database of a system, restored by infra/postgres/backups.sh. The provider's orders are not restored. */
export class ArchivedDatabase extends DatabaseSwitch {
  private constructor(
    private readonly system: System,
    private readonly dataDir: string,
    private readonly backups: Backups,
  ) {
    super(system.stack.database.adminUrl);
  }

  static async start(system: System): Promise<ArchivedDatabase> {
    const { dir, database } = system.stack;
    const dataDir = join(dir, 'postgres', 'data');
    const backups = await Backups.prepare({ dir, dataDir, adminUrl: database.adminUrl });
    await backups.startArchiving(system.stack.postgres);
    await backups.run(['check']);
    return new ArchivedDatabase(system, dataDir, backups);
  }

  async baseBackup(): Promise<void> {
    await this.backups.run(['make']);
  }

  /** By Postgres' clock. */
  async moment(): Promise<string> {
    const [row] = await this.rows<{ moment: string }>('select clock_timestamp()::text as moment');
    return row!.moment;
  }

  /** Stops Postgres, deletes its data directory as if the machine were lost, and restores. @returns what the script printed */
  async restore(to: string): Promise<string> {
    const { postgres } = this.system.stack;
    // Postgres archives its last segment when it is stopped.
    await postgres.stop();
    await rm(this.dataDir, { recursive: true });
    const printed = await this.backups.run(['restore', to]);
    await postgres.start();
    // During recovery Postgres answers reads only.
    const isReady = 'select where not pg_is_in_recovery()';
    await vi.waitUntil(async () => (await this.rows(isReady)).length === 1, eventually);
    return printed;
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
      return (await runConsistencyChecks(owner, statement)).filter(({ findings }) => findings > 0).map(describeVerdict);
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
