import type { Pool } from 'pg';

/** Copies a contract's last event into many workspaces, which need not exist otherwise. */
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
  ), delivery as (
    insert into contracts.outbox_delivery (event_id, consumer, recorded_at, attempt, due_at)
    select id, consumer, recorded_at, 0, clock_timestamp() from event, unnest($3::text[]) consumer
  )
  select id from event`;

const MAX_AT_ONCE = 100_000;

interface Copies {
  count: number;
  workspaces: number;
  consumers: readonly string[];
}

/** Adds waiting events to the outbox of contracts, as after an outage. @returns their ids */
export async function copyEvents(
  database: Pick<Pool, 'query'>,
  { count, workspaces, consumers }: Copies,
): Promise<string[]> {
  const ids: string[] = [];
  for (let left = count; left > 0; left -= MAX_AT_ONCE) {
    const { rows } = await database.query<{ id: string }>(COPY, [Math.min(left, MAX_AT_ONCE), workspaces, consumers]);
    for (const { id } of rows) ids.push(id);
  }
  return ids;
}
