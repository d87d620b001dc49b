import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { copyEvents } from '@payroll/tools/demo/copied-events';

/** Events of contracts that payments has not confirmed, spread over this many workspaces. */
export async function makeEvents(database: Pool, count: number, workspaces: number): Promise<void> {
  await copyEvents(database, { count, workspaces, consumers: ['payments'] });
  await database.query('analyze contracts.outbox_event, contracts.outbox_delivery');
}

export async function countWaiting(database: Pool): Promise<number> {
  const { rows } = await database.query<{ count: number }>('select count(*)::int from contracts.outbox_delivery');
  return rows[0]!.count;
}

/** Waits until at most `most` events are unconfirmed. @returns the time in ms; null after `withinMs` */
export async function waitUntil(database: Pool, most: number, withinMs: number): Promise<number | null> {
  const startedAt = performance.now();
  while ((await countWaiting(database)) > most) {
    if (performance.now() - startedAt > withinMs) return null;
    await pause(100);
  }
  return performance.now() - startedAt;
}
