import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '@payroll/kernel';
import { sql, write } from '@payroll/store';
import { afterAll, expect, inject, it } from 'vitest';
import { tellAccount } from '../../services/workspaces/src/mail/outbox.js';
import { Workspaces } from '../../services/workspaces/test/support.js';
import { startUnreliableMailServer } from './unreliable-mail-server.js';

const [NOTICES, KILLS] = inject('isLongRun') ? [10_000, 200] : [100, 4];
const SENDER = fileURLToPath(new URL('mail-sender.mjs', import.meta.url));

const started = new AsyncDisposableStack();
const workspaces = started.use(await Workspaces.open('killed_senders'));
const server = started.use(await startUnreliableMailServer());
afterAll(() => started.disposeAsync());

function startSender() {
  const child = spawn(process.execPath, ['--no-warnings', SENDER, workspaces.databaseUrl, server.url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  return {
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    [Symbol.asyncDispose]() {
      return this.kill();
    },
  };
}

/** As if the leases of the dead and the pauses after refused tries were over. */
const passTime = () =>
  write(
    workspaces.em,
    sql`update mail set due_at = clock_timestamp() where state = 'waiting' and due_at > clock_timestamp()`,
  );

const countWaiting = async (): Promise<number> => {
  const [row] = await workspaces.em.execute<[{ count: number }]>(
    `select count(*)::int as count from mail where state <> 'sent'`,
  );
  return row.count;
};

const accepted = (count: number) =>
  expect.poll(() => server.accepted.length, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(count);

it(
  `${NOTICES} mails over ${KILLS} deaths of their sender: none is lost, and a second copy has the same Message-ID`,
  { timeout: inject('isLongRun') ? 3_600_000 : 180_000 },
  async () => {
    const { em } = workspaces;
    await write(
      em,
      sql`insert into account (id, email, name, password_hash, created_at, updated_at)
        select gen_random_uuid(), n || '@example.com', 'Ada', '', now(), now() from generate_series(1, ${NOTICES}::int) n`,
    );
    const accounts = await em.execute<{ id: string }[]>('select id from account');
    for (const { id: accountId } of accounts)
      await write(em, tellAccount({ sourceId: newId(), accountId, kind: 'password_changed' }));

    server.treat = () => {
      const chance = Math.random();
      const treatment = chance < 0.08 ? 'drop' : chance < 0.16 ? 'refuse' : 'accept';
      return { treatment, afterMs: Math.random() * 30 };
    };
    const each = Math.floor((NOTICES * 0.8) / KILLS);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await using sender = startSender();
      await accepted(kill * each);
      await pause(Math.random() * 50);
      await sender.kill();
      await passTime();
    }
    server.treat = () => ({ treatment: 'accept', afterMs: 0 });
    await using _last = startSender();
    await expect.poll(countWaiting, { timeout: 600_000, interval: 100 }).toBe(0);

    const idsOf = Map.groupBy(server.accepted, ({ to }) => to);
    expect(idsOf.size).toBe(NOTICES);
    for (const mails of idsOf.values()) expect(new Set(mails.map(({ id }) => id)).size).toBe(1);
    expect(new Set(server.accepted.map(({ id }) => id)).size).toBe(NOTICES);
    const copies = server.accepted.length - NOTICES;
    expect(copies).toBeLessThan(KILLS);
  },
);
