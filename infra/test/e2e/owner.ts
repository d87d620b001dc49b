import { Client } from 'pg';
import { stack } from './under-test.js';

async function asOwner(work: (database: Client) => Promise<void>): Promise<void> {
  const database = new Client(stack.postgres.url);
  await database.connect();
  try {
    await work(database);
  } finally {
    await database.end();
  }
}

const PASS_A_MINUTE = `update workspaces.rate_counter
  set window_started_at = window_started_at - interval '61 s' where subject = $1`;

/** As if a minute had passed for everything that is limited by the minute. */
export async function letMinutePass(): Promise<void> {
  await asOwner(async (database) => {
    const { rows } = await database.query<{ subject: string }>('select subject from workspaces.rate_counter');
    // One by one: who holds several at once may meet a request that takes them in another order.
    for (const { subject } of rows) await database.query(PASS_A_MINUTE, [subject]);
  });
}

const PASS_EIGHT_DAYS = `update rest_facade.idempotency_claim
  set begun_at = begun_at - interval '8 days', finished_at = finished_at - interval '8 days' where key = $1`;

/** As if a key had been used eight days ago. */
export async function letEightDaysPass(idempotencyKey: string): Promise<void> {
  await asOwner(async (database) => {
    await database.query(PASS_EIGHT_DAYS, [idempotencyKey]);
  });
}

/** A process stands still while the work is done: what needs it gets no answer. */
export async function whileStopped<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const pid = stack.processes[name];
  if (pid === undefined) throw new Error(`stack.json names no process ${name}`);
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
