import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { createDatabase } from '@payroll/tools/local/test-server';
import { checkDatabase, migrate, migrateCommand, type Schema } from '@payroll/store';
import { Client } from 'pg';
import { afterAll, expect, inject, it, vi } from 'vitest';

const NoteTable = defineEntity({
  name: 'Note',
  tableName: 'note',
  properties: { id: p.uuid().primary(), text: p.text() },
});

class First extends Migration {
  override up(): void {
    this.addSql('create table contracts.note (id uuid primary key, text text not null)');
    this.addSql('grant select on contracts.migration to contracts');
  }
}
class Second extends Migration {
  override up(): void {
    this.addSql('create index note_text on contracts.note (text)');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'payroll-migrations-'));
afterAll(() => rmSync(folder, { recursive: true }));

const schemaWith = (...migrations: (typeof First)[]): Schema => ({
  name: 'contracts',
  tables: [NoteTable],
  migrations,
  migrationsDir: join(folder, 'dist', 'migrations'),
});

const database = await createDatabase(inject('backends'), 'store_migrations');
const ownerUrl = database.ownerUrl;
const url = database.urls.contracts;
// Under mutation testing the same database is used again.
const owner = new Client(ownerUrl);
await owner.connect();
await owner.query('drop table if exists contracts.note, contracts.migration');
await owner.end();

async function said(run: () => Promise<void>): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await run();
    return write.mock.calls.join('');
  } finally {
    write.mockRestore();
  }
}

const look = async (...migrations: (typeof First)[]) =>
  (await checkDatabase('contracts', schemaWith(...migrations), { url, poolSize: 2 })).map(
    ({ ok, what, seen }) => `${ok ? 'ok' : `WRONG (${seen})`} ${what}`,
  );

const REACHED = [
  'ok contracts reaches its database',
  'ok the clocks of contracts and Postgres agree',
  'ok the Postgres of contracts is 18 or newer',
  'ok the Postgres of contracts is a primary that takes writes',
  'ok the archive of the Postgres of contracts does not fail',
  'ok what contracts commits is on a disk of one server',
  'ok contracts can tell the history of its database',
];

it('reports a database that was never migrated, even as a role without access to it', async () => {
  expect(await look(First)).toEqual([
    ...REACHED,
    'WRONG (its code is newer than its tables: First not applied) contracts finds all the tables that it needs',
    'ok contracts knows all of its tables',
  ]);
});

it('each migration is applied once, in order, and named', async () => {
  expect(await migrate(schemaWith(First), ownerUrl)).toEqual(['First']);
  expect(await migrate(schemaWith(First), { url: ownerUrl, poolSize: 2 })).toEqual([]);
  const command = migrateCommand(schemaWith(First, Second));
  const env = { DATABASE_URL: ownerUrl };
  expect(await said(() => command.run(env, []))).toBe('applied Second\n');
  expect(await said(() => command.run(env, []))).toBe('up to date\n');
});

it('reports code and tables of different versions', async () => {
  const finds = 'contracts finds all the tables that it needs';
  const knows = 'contracts knows all of its tables';
  expect(await look(First, Second)).toEqual([...REACHED, `ok ${finds}`, `ok ${knows}`]);
  expect(await look(First)).toEqual([
    ...REACHED,
    `ok ${finds}`,
    expect.stringMatching(/^WRONG .*Second\) .*knows all/),
  ]);
});

it('reports additional checks too', async () => {
  const more = { ok: true, what: 'there are no notes' };
  const all = await checkDatabase('contracts', schemaWith(First, Second), { url, poolSize: 2 }, async (em) => {
    expect(await em.count(NoteTable).catch(() => 'not granted')).toBe('not granted');
    return [more];
  });
  expect(all.at(-1)).toEqual(more);
});

it('an unreachable database is one finding that names what to check', async () => {
  const nowhere = { url: 'postgres://contracts@127.0.0.1:1/none', poolSize: 2 };
  const todo = 'look at DATABASE_URL, the certificate and whether Postgres runs';
  expect(await checkDatabase('contracts', schemaWith(), nowhere)).toEqual([
    {
      ok: false,
      what: 'contracts reaches its database',
      seen: expect.stringContaining('no Postgres lets us in'),
      todo,
    },
  ]);
});

it('refuses to work as another role than its own', async () => {
  const [found, ...others] = await checkDatabase('contracts', schemaWith(), { url: ownerUrl, poolSize: 2 });
  expect(found).toMatchObject({
    ok: false,
    seen: expect.stringContaining('this needs the role contracts, not payroll_owner'),
  });
  expect(others).toEqual([]);
});
