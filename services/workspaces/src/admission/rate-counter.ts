/**
 * Counts what a CTE `(subject, wanted)` asks for, a minute from the first request on, and tells how the counters stand.
 * Rows are taken in the order of their keys: batches that share some wait for each other, never in a circle.
 */
export function countInto(demand: string): string {
  return `
    insert into rate_counter as c (subject, window_started_at, used)
    select subject, now(), wanted from ${demand} order by subject
    on conflict (subject) do update set
      used = case when c.window_started_at <= now() - interval '60 s' then 0 else least(c.used, 1000000) end + excluded.used,
      window_started_at = case when c.window_started_at <= now() - interval '60 s' then now() else c.window_started_at end
    returning subject, used, ceil(extract(epoch from window_started_at + interval '60 s' - now()))::int as reset`;
}
