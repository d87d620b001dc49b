import { Commands } from '@payroll/commands';
import { newId } from '@payroll/kernel';
import { startTestBackends } from '@payroll/tools/local/test-server';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { thingSchema } from './databases.js';
import { TestDatabase } from '../../store/test/databases.js';
import { makeThing, originOf } from './things.js';

/** A Postgres of its own, because which standbys it waits for is a setting of the whole server. */
async function startServer() {
  const ending = new AsyncDisposableStack();
  onTestFinished(() => ending.disposeAsync());
  const { backends } = ending.use(await startTestBackends());
  const database = ending.use(await TestDatabase.open('standby', thingSchema, backends));
  const admin = new Client(backends.adminUrl);
  await admin.connect();
  ending.defer(() => admin.end());
  return {
    commands: new Commands({ em: await database.process() }),
    waitFor: async (standby: string): Promise<void> => {
      await admin.query(`alter system set synchronous_standby_names = '${standby}'`);
      await admin.query('select pg_reload_conf()');
      // The checkpointer tells the others.
      await expect
        .poll(async () => (await admin.query('show synchronous_standby_names')).rows)
        .toEqual([{ synchronous_standby_names: standby }]);
    },
    /** The process of Postgres whose commit waits for a standby. */
    waiting: async (): Promise<number[]> => {
      const { rows } = await admin.query<{ pid: number }>(
        "select pid from pg_stat_activity where wait_event = 'SyncRep'",
      );
      return rows.map(({ pid }) => pid);
    },
    end: async (pid: number) => void (await admin.query('select pg_terminate_backend($1)', [pid])),
  };
}

it('a replay is not acknowledged before a standby has what the operation wrote, even if its wait was ended', async () => {
  const { commands, waitFor, waiting, end } = await startServer();
  const replays: unknown[] = [];
  const origin = { ...originOf(newId()), onReplay: () => void replays.push('replayed') };
  const operationId = newId();
  const send = () => commands.run(makeThing, { name: 'a' }, { ...origin, operationId });
  await waitFor('absent');
  const first = send();
  first.catch(() => undefined);
  await expect.poll(waiting).toHaveLength(1);
  // As a restart does, this makes the transaction visible although no standby has it.
  await end((await waiting())[0]!);
  await expect(first).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

  const second = send();
  await expect.poll(waiting).toHaveLength(1);
  expect(replays).toEqual([]);
  await waitFor('');
  await second;
  expect(replays).toEqual(['replayed']);
});
