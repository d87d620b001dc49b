import { afterAll, beforeAll, expect, it } from 'vitest';
import { ThingDatabase } from './databases.js';

let database: ThingDatabase;
beforeAll(async () => {
  database = await ThingDatabase.open('store_connections');
});
afterAll(() => database[Symbol.asyncDispose]());

it('a pool outlives more sessions that Postgres ends in a transaction than it has places', async () => {
  const em = await database.process();
  const pool = await em.getConnection().getNativeClient();
  const places = pool.options.max!;
  for (let ended = 0; ended <= places; ended++) {
    // As a time-out of the role does, and a restart.
    const end = em.fork().transactional((tx) => tx.execute('select pg_terminate_backend(pg_backend_pid())'));
    await expect(end).rejects.toThrow();
  }
  const answer = em.fork().transactional((tx) => tx.execute<{ one: number }[]>('select 1 as one'));
  expect(await answer).toEqual([{ one: 1 }]);
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
});
