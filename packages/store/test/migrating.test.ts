import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';
import { createDatabase } from '@payroll/tools/local/test-server';
import { migrate, type Schema } from '@payroll/store';
import { Client } from 'pg';
import { afterAll, expect, inject, it, vi } from 'vitest';
import { ThingTable } from './databases.js';

/** 1,000,000 in the long form. */
const ROWS = inject('isLongRun') ? 1_000_000 : 20_000;
const WRITES_A_SECOND = 50;

class First extends Migration {
  override up(): void {
    this.addSql('create table contracts.note (id int primary key generated always as identity, text text not null)');
    this.addSql('grant select, insert, update on contracts.note to contracts');
  }
}
class Column extends Migration {
  override up(): void {
    this.addSql(`alter table contracts.note add kind text not null default 'plain'`);
  }
}
class Index extends Migration {
  override isTransactional(): boolean {
    return false;
  }
  override up(): void {
    this.addSql('drop index concurrently if exists contracts.note_text');
    this.addSql('create unique index concurrently note_text on contracts.note (text)');
  }
}

const schemaWith = (...migrations: (typeof First)[]): Schema => ({
  name: 'contracts',
  tables: [ThingTable],
  migrations,
  migrationsDir: import.meta.dirname,
});

const opened: Client[] = [];

async function connectTo(address: string): Promise<Client> {
  const client = new Client(address);
  await client.connect();
  opened.push(client);
  return client;
}

const database = await createDatabase(inject('backends'), 'store_migrating');
const ownerUrl = database.ownerUrl;
const url = database.urls.contracts;
const owner = await connectTo(ownerUrl);
afterAll(() => Promise.all(opened.map((client) => client.end())));

it('a server that vanishes without a word is noticed by probes of the network, which begin after seconds', async () => {
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  await migrate(schemaWith(), ownerUrl);
  expect(keepAlive.mock.calls).toEqual([[true, 10_000]]);
  keepAlive.mockRestore();
});

/** A new table of `rows` rows, as its first migration makes it. */
async function begin(rows: number): Promise<void> {
  await owner.query('drop table if exists contracts.note, contracts.migration');
  await migrate(schemaWith(First), ownerUrl);
  await owner.query(`insert into contracts.note (text) select 'note ' || n from generate_series(1, $1::int) as n`, [
    rows,
  ]);
}

/** Writes steadily, as a process with the time-outs of its role does, until the work has ended. */
async function writingDuring(
  work: () => Promise<unknown>,
): Promise<{ count: number; failed: unknown[]; mostMs: number }> {
  const clients = await Promise.all(Array.from({ length: 4 }, () => connectTo(url)));
  const seen = { count: 0, failed: [] as unknown[], mostMs: 0 };
  let isOver = false;
  const write = async (client: Client, at: number): Promise<void> => {
    for (let n = 0; !isOver; n += 1) {
      const startedAt = performance.now();
      const statement =
        n % 2 === 0
          ? 'insert into contracts.note (text) values ($1)'
          : 'update contracts.note set text = $1 where id = 1';
      await client.query(statement, [`${at}, ${n}`]).catch((error: unknown) => seen.failed.push(error));
      const tookMs = performance.now() - startedAt;
      seen.count += 1;
      seen.mostMs = Math.max(seen.mostMs, tookMs);
      await sleep(Math.max(0, (1_000 * clients.length) / WRITES_A_SECOND - tookMs));
    }
  };
  const writers = clients.map(write);
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
  return seen;
}

it('of runs at the same time one applies each migration, and the others find nothing to do', async () => {
  await owner.query('drop table if exists contracts.note, contracts.migration');
  const runs = Array.from({ length: 4 }, () => migrate(schemaWith(First, Column, Index), ownerUrl));
  expect((await Promise.all(runs)).flat()).toEqual(['First', 'Column', 'Index']);
});

it('a long reader holds up a new column, but no write of the service', async () => {
  await begin(1);
  const reader = await connectTo(ownerUrl);
  await reader.query('begin; select from contracts.note');
  const said: string[] = [];
  const writes = await writingDuring(async () => {
    const migrating = migrate(schemaWith(First, Column), ownerUrl, (line) => said.push(line));
    await expect.poll(() => said.length).toBeGreaterThan(1);
    await reader.query('rollback');
    expect(await migrating).toEqual(['Column']);
  });
  expect(said[0]).toBe('Column: another transaction holds its table; tries again in 1 s');
  expect(writes.failed).toEqual([]);
  expect(writes.mostMs).toBeLessThan(1_000);
});

it(
  `during a new column and a new index of ${ROWS} rows no write fails or waits for 2 s`,
  { timeout: 300_000 },
  async () => {
    await begin(ROWS);
    // The index waits for older transactions, and longer than a lock may be waited for.
    const reader = await connectTo(ownerUrl);
    await reader.query('begin isolation level repeatable read; select from contracts.migration');
    const writes = await writingDuring(async () => {
      const migrating = migrate(schemaWith(First, Column, Index), ownerUrl);
      await sleep(1_500);
      await reader.query('rollback');
      expect(await migrating).toEqual(['Column', 'Index']);
    });
    expect(writes.failed).toEqual([]);
    expect(writes.mostMs).toBeLessThan(2_000);
    expect(writes.count).toBeGreaterThan(50);
  },
);

it('an index that could not be made is made by the next run', async () => {
  await begin(1);
  await owner.query(`insert into contracts.note (text) values ('twice'), ('twice')`);
  await expect(migrate(schemaWith(First, Index), ownerUrl)).rejects.toThrow('could not create unique index');
  await owner.query(`delete from contracts.note where text = 'twice'`);
  expect(await migrate(schemaWith(First, Index), ownerUrl)).toEqual(['Index']);
  const { rows } = await owner.query(
    `select indisvalid from pg_index where indexrelid = 'contracts.note_text'::regclass`,
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});
