import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import {
  lookForDatabase,
  mapDatabaseError,
  migrate,
  openDatabase,
  read,
  type Schema,
  sql,
  write,
} from '@payroll/store';
import { createDatabase, startTestServer } from '@payroll/tools/local/test-server';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ThingTable } from './databases.js';

class First extends Migration {
  override up(): void {
    this.addSql('create table contracts.note (text text not null)');
    this.addSql('grant select, insert on contracts.note to contracts');
    this.addSql('grant select on contracts.migration to contracts');
  }
}

const schema: Schema = {
  name: 'contracts',
  tables: [ThingTable],
  migrations: [First],
  migrationsDir: import.meta.dirname,
};

let server: Awaited<ReturnType<typeof startTestServer>>;
let urls: { contracts: string };
let ownerUrl: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ urls, ownerUrl } = await createDatabase(server.backends, 'store_standby'));
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

async function asAdmin(statement: string): Promise<void> {
  const admin = new Client(server.backends.adminUrl);
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}

/** The whole life of a process that is started too early and whose primary is lost. */
it('a process names the migrations it waits for, refuses a standby, and recovers without a restart', async () => {
  await using orm = Object.assign(await openDatabase(schema, urls.contracts), {
    [Symbol.asyncDispose]: () => orm.close(),
  });
  const em = orm.em.fork();
  const ready = () => lookForDatabase(em, schema);
  const note = (text: string) => write(em, sql`insert into note (text) values (${text})`).catch(mapDatabaseError);
  const count = async () => (await read(em, sql`select count(*)::int as n from note`))[0];

  expect(await ready()).toEqual(['migration First']);
  await migrate(schema, ownerUrl);
  expect(await ready()).toEqual([]);
  await note('from the primary');

  await server.process.stop();
  writeFileSync(join(server.dataDir, 'standby.signal'), '');
  await server.process.start();
  const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) as unknown;
  for (let n = 0; n < 20; n += 1) expect(await note('to a standby')).toEqual(unavailable);
  await expect(ready()).rejects.toThrow('this server takes no writes');
  const pool = await em.getConnection().getNativeClient();
  expect(pool.totalCount).toBe(0);

  await asAdmin('select pg_promote()');
  expect(await ready()).toEqual([]);
  expect(await count()).toEqual({ n: 1 });
  await note('after the promotion');
  expect(await count()).toEqual({ n: 2 });
}, 60_000);

it('an established connection is closed once its server takes no writes', async () => {
  await using orm = Object.assign(await openDatabase(schema, { url: urls.contracts, poolSize: 2 }), {
    [Symbol.asyncDispose]: () => orm.close(),
  });
  const em = orm.em.fork();
  await read(em, sql`set default_transaction_read_only = on`);
  expect(await lookForDatabase(em, schema)).toEqual(['a primary database']);
  const note = () => write(em, sql`insert into note (text) values ('again')`);
  await expect(note()).rejects.toThrow('read-only transaction');
  await note();
  expect(await lookForDatabase(em, schema)).toEqual([]);
});

it('a running process refuses the database of another cell that a restore puts beneath it', async () => {
  const settings = { url: urls.contracts, poolSize: 2, deployment: 'live_eu1' } as const;
  await using orm = Object.assign(await openDatabase(schema, settings), {
    [Symbol.asyncDispose]: () => orm.close(),
  });
  const em = orm.em.fork();
  const note = () => write(em, sql`insert into note (text) values ('once more')`).catch(mapDatabaseError);
  const becomes = async (comment: string): Promise<void> => {
    await asAdmin(`comment on database store_standby is '${comment}'`);
    // As a restore does.
    await asAdmin("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'store_standby'");
  };
  await note();

  await becomes('Deployment: live_us1');
  await expect.poll(note).toEqual(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  await expect(lookForDatabase(em, schema)).rejects.toThrow(
    'DEPLOYMENT and CELL say live_eu1, but the database was made for live_us1',
  );
  await expect(openDatabase(schema, settings)).rejects.toThrow('made for live_us1');

  await becomes('Deployment: live_eu1');
  await expect.poll(note).not.toBeInstanceOf(Error);
});
