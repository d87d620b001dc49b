import { newId } from '@payroll/kernel';
import { observePool, openDatabase, read, sql, write, type Sql } from '@payroll/store';
import { startMetrics } from '@payroll/runtime';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { TestDatabase, thingSchema } from './databases.js';

const database = await TestDatabase.open('store_statements', thingSchema);
const em = await database.process();
const workspaceId = newId();
afterAll(() => database[Symbol.asyncDispose]());

const add = (name: string): Sql =>
  sql`insert into thing (id, workspace_id, name, created_at, updated_at)
    values (${newId()}, ${workspaceId}, ${name}, now(), now())`;
const rename = (from: string, to: string): Sql => sql`update thing set name = ${to} where name = ${from}`;
const names = (): Sql<{ name: string }> => sql`select name from thing order by name` as never;

describe('a statement', () => {
  it('returns how many rows it has written', async () => {
    expect(await write(em, add('a'))).toBe(1);
    expect(await write(em, add('b'))).toBe(1);
    expect(await write(em, rename('nobody', 'x'))).toBe(0);
    expect(await write(em, sql`lock table thing in access share mode`).catch(() => 'no transaction')).toBe(
      'no transaction',
    );
    expect(await read(em, names())).toEqual([{ name: 'a' }, { name: 'b' }]);
  });
});

it('each scrape counts active connections, idle ones, and callers that wait for one', async () => {
  const { read: scrape } = await startMetrics();
  using _observed = observePool(em);
  const pool = await em.getConnection().getNativeClient();
  const held = await Promise.all([pool.connect(), pool.connect()]);
  held.pop()!.release();
  const samples = (await scrape()).match(/^payroll_database_\w+(\{.*\})? .*$/gm);
  held.pop()!.release();
  expect(samples).toEqual([
    'payroll_database_connections{state="busy"} 1',
    expect.stringMatching(/^payroll_database_connections\{state="idle"\} [1-9]$/),
    'payroll_database_waiting 0',
  ]);
});

it('a failed connection reports the reason and the remedy', async () => {
  await expect(openDatabase(thingSchema, 'postgres://contracts@127.0.0.1:1/none')).rejects.toThrow(
    /^DATABASE_URL: no Postgres lets us in at 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\); start it or correct the address$/,
  );
});

it('a database that does not exist is named, and so is a password that is missing', async () => {
  const refusal = async (change: (url: URL) => void): Promise<unknown> => {
    const url = new URL(inject('backends').adminUrl);
    change(url);
    return await openDatabase(thingSchema, url.href).catch((error: unknown) => (error as Error).message);
  };
  expect(await refusal((url) => (url.pathname = '/nodb'))).toContain('database "nodb" does not exist');
  expect(await refusal((url) => (url.password = ''))).toContain('DATABASE_PASSWORD is missing');
});
