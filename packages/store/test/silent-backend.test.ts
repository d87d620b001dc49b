import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type Socket, connect } from 'node:net';
import { mapDatabaseError, openDatabase, read, sql } from '@payroll/store';
import { createDatabase } from '@payroll/tools/local/test-server';
import { afterAll, expect, inject, it } from 'vitest';
import { thingSchema } from './databases.js';

let isSilent = false;
const sockets = new Set<Socket>();

const { urls } = await createDatabase(inject('backends'), 'store_silent_backend');
const target = new URL(urls.contracts);
const { port: postgres, hostname } = target;
/** Forwards bytes to Postgres until the test silences it: no byte, no end of the connection. */
const proxy = createServer((near) => {
  const far = connect(Number(postgres), hostname);
  for (const socket of [near, far]) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      near.destroy();
      far.destroy();
    });
  }
  near.on('data', (bytes) => !isSilent && far.write(bytes));
  far.on('data', (bytes) => !isSilent && near.write(bytes));
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const { port } = proxy.address() as { port: number };
target.host = `127.0.0.1:${port}`;
const url = target.href;
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
});

it('a silent backend fails its query at our deadline and frees its place in the pool', async () => {
  const orm = await openDatabase(thingSchema, { url, poolSize: 2 });
  try {
    const em = orm.em.fork();
    const pool = await em.getConnection().getNativeClient();
    await read(em, sql`select 1`);
    // A connection that was idle for longer than the deadline has it too; after ten seconds the pool would close it.
    await sleep(7_000);
    expect(pool.idleCount).toBe(1);
    isSilent = true;
    const asked = [read(em, sql`select 1`), read(em, sql`select 2`)];
    const failures = await Promise.all(asked.map((each) => each.catch(mapDatabaseError)));
    isSilent = false;
    for (const failure of failures) expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    expect(await read(em, sql`select 3 as answer`)).toEqual([{ answer: 3 }]);
  } finally {
    await orm.close();
  }
}, 30_000);
