import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';

/** Copies of a contract's last event for payments, each as of a workspace. */
const COPY = `with each as (
    select gen_random_uuid() as id, concat('00000000-0000-7000-8000-', lpad((n % $2::int)::text, 12, '0')) as workspace
    from generate_series(1, $1::int) n
  ), event as (
    insert into contracts.outbox_event
    select copy.* from contracts.outbox_event o, each,
      jsonb_populate_record(o, jsonb_build_object('id', each.id, 'workspace_id', workspace,
        'body', o.body || jsonb_build_object('id', each.id, 'workspaceId', workspace), 'recorded_at', clock_timestamp())) copy
    where o.id = (select id from contracts.outbox_event where type = 'contract.changed' order by recorded_at desc limit 1)
    returning id, recorded_at
  )
  insert into contracts.outbox_delivery (event_id, consumer, recorded_at, attempt, due_at)
  select id, 'payments', recorded_at, 0, clock_timestamp() from event`;

const MOST_AT_ONCE = 100_000;

export async function makeEvents(database: Pool, count: number, workspaces: number): Promise<void> {
  for (let left = count; left > 0; left -= MOST_AT_ONCE) {
    await database.query(COPY, [Math.min(left, MOST_AT_ONCE), workspaces]);
  }
  await database.query('analyze contracts.outbox_event, contracts.outbox_delivery');
}

export async function countWaiting(database: Pool): Promise<number> {
  const { rows } = await database.query<{ count: number }>('select count(*)::int from contracts.outbox_delivery');
  return rows[0]!.count;
}

/** Resolves when no more than `most` wait. @returns how long that took, in ms; null where it has not come to that in time. */
export async function waitUntil(database: Pool, most: number, withinMs: number): Promise<number | null> {
  const startedAt = performance.now();
  while ((await countWaiting(database)) > most) {
    if (performance.now() - startedAt > withinMs) return null;
    await pause(100);
  }
  return performance.now() - startedAt;
}
