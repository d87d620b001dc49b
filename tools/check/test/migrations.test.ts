import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { afterAll, expect, it } from 'vitest';
import { faultsOf, writeMigration } from '../migrations.ts';

const NoteTable = defineEntity({
  name: 'Note',
  tableName: 'note',
  properties: { id: p.uuid().primary(), text: p.text() },
});

class First extends Migration {
  override up(): void {
    this.addSql('create table contracts.note (id uuid primary key, text text not null)');
  }
}
class Second extends Migration {
  override up(): void {
    this.addSql('create index note_text on contracts.note (text)');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'payroll-migrations-'));
const sources = join(folder, 'src', 'migrations');
mkdirSync(sources, { recursive: true });
// The snapshot of a schema without tables: without a snapshot MikroORM would query a database.
const none = { namespaces: ['contracts'], name: 'contracts', tables: [], nativeEnums: {} };
writeFileSync(join(sources, '.tables.json'), JSON.stringify(none));
afterAll(() => rmSync(folder, { recursive: true }));

const schemaWith = (...migrations: (typeof First)[]) => ({
  name: 'contracts',
  tables: [NoteTable],
  migrations,
  migrationsDir: join(folder, 'dist', 'migrations'),
});
const DIFFER =
  'contracts: tables and migrations differ: npm run migrations, name what it writes in schema.ts, commit it';

it('compares tables with their snapshot, and migrations with those that the schema names, without a database', async () => {
  expect(await faultsOf(schemaWith())).toEqual([DIFFER]);
  expect(await writeMigration(schemaWith(), 'notes')).toMatch(/src\/migrations\/Migration\d+_notes\.ts$/);
  expect(readdirSync(sources)).toEqual(['.tables.json', expect.stringMatching(/^Migration\d+_notes\.ts$/)]);
  expect(await writeMigration(schemaWith())).toBe(null);
  expect(await faultsOf(schemaWith(First))).toEqual([]);
  // A file that the schema does not name would never be applied.
  expect(await faultsOf(schemaWith())).toEqual([DIFFER]);
  writeFileSync(join(sources, 'notes.md'), 'no migration');
  expect(await faultsOf(schemaWith(First))).toEqual([]);
});

it('refuses a migration that would make requests wait', async () => {
  writeFileSync(join(sources, 'Migration_second.ts'), '');
  expect(await faultsOf(schemaWith(First, Second))).toEqual([
    'Second: "create index note_text on contracts.note (text)" stops writes: create index concurrently',
  ]);
});
