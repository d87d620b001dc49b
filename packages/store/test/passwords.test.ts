import { escapeLiteral } from 'pg';
import { connected } from '@payroll/infra/postgres/bootstrap';
import { openDatabase, read, sql } from '@payroll/store';
import { createDatabase, startTestServer } from '@payroll/tools/local/test-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { thingSchema } from './databases.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let url: string;
beforeAll(async () => {
  server = await startTestServer();
  url = (await createDatabase(server.backends, 'store_passwords')).urls.contracts;
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const withPassword = (password: string): string => Object.assign(new URL(url), { password }).href;

async function knows(password: string): Promise<void> {
  await connected(server.backends.adminUrl, (admin) =>
    admin.query(`alter role contracts password ${escapeLiteral(password)}`),
  );
}

async function open(password: string, otherPassword: string) {
  const orm = await openDatabase(thingSchema, { url: withPassword(password), poolSize: 10, otherPassword });
  const em = orm.em.fork();
  const ask = () => read(em, sql`select count(*)::int as n from pg_sleep(0.02)`);
  return {
    /** Needs all connections of the pool. */
    useAll: () => Promise.all(Array.from({ length: 50 }, ask)),
    /** Every connection that it has is gone, as after a failover. */
    disconnect: async () => {
      await connected(server.backends.adminUrl, (admin) =>
        admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'contracts'"),
      );
      const pool = await orm.em.getConnection().getNativeClient();
      await expect.poll(() => pool.totalCount).toBe(0);
    },
    [Symbol.asyncDispose]: () => orm.close(),
  };
}

it('a pool with two passwords connects by the one that Postgres knows, before, while and after it changes', async () => {
  await knows('old');
  await using first = await open('old', 'new');
  await using second = await open('new', 'old');
  for (const { useAll } of [first, second]) await useAll();

  // In the middle of connecting: nothing fails.
  for (const { disconnect } of [first, second]) await disconnect();
  const asked = [first.useAll(), second.useAll()];
  await knows('new');
  await Promise.all(asked);

  for (const password of ['new', 'old', 'new']) {
    await knows(password);
    for (const { disconnect } of [first, second]) await disconnect();
    for (const { useAll } of [first, second]) await useAll();
  }
});

it('a pool of which Postgres knows neither password reports that, and recovers by itself', async () => {
  await knows('third');
  await expect(open('old', 'new')).rejects.toThrow(
    /^DATABASE_URL: the Postgres at \S+ refuses this process: password authentication failed/,
  );
  await knows('old');
  await using pool = await open('old', 'new');
  await knows('third');
  await pool.disconnect();
  for (let n = 0; n < 3; n += 1)
    await expect(pool.useAll()).rejects.toThrow(/password authentication failed|timeout exceeded/);
  await knows('new');
  await pool.useAll();
});
