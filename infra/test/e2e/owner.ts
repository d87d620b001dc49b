import { Client } from 'pg';
import { inject } from 'vitest';

const { stack } = inject('underTest');

async function asOwner(statement: string, values: unknown[] = []): Promise<void> {
  const database = new Client(stack.postgres.url);
  await database.connect();
  try {
    await database.query(statement, values);
  } finally {
    await database.end();
  }
}

/** As if a minute had passed for everything that is limited by the minute. */
export async function letMinutePass(): Promise<void> {
  await asOwner(`update workspaces.rate_counter set window_started_at = window_started_at - interval '61 s'`);
}

/** As if a key had been used eight days ago. */
export async function letEightDaysPass(idempotencyKey: string): Promise<void> {
  await asOwner(
    `update rest_facade.idempotency_claim set begun_at = begun_at - interval '8 days',
    finished_at = finished_at - interval '8 days' where key = $1`,
    [idempotencyKey],
  );
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
