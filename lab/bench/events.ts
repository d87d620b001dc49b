import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '@payroll/tools/cli';
import { copyEvents } from '@payroll/tools/demo/copied-events';
import { quantile } from '@payroll/tools/operate/requests';
import { load } from './load.js';
import { PATHS } from './paths.js';
import { plain, type Table } from './shown/table.js';
import type { Stage } from './stage.js';

/** The latency of a single event in ms, and the events delivered per second when many wait. */
export interface Passage {
  name: string;
  p50: number;
  p99: number;
  perSecond: number;
}

/** Each is sent after the previous one has arrived. */
const ALONE = 50;
const MANY = 5_000;
/** Events of one workspace are applied one after the other, so this is the number of parallel lanes. */
const WORKSPACES = 64;

/** Measures from a change in one service to its effect in another. */
export async function measureEvents(stage: Stage, share: number): Promise<Passage[]> {
  const alone = Math.ceil(ALONE * share);
  const many = Math.ceil(MANY * share);
  progress(`events: ${alone} alone, then ${many} at once …`);
  const latencies = await approveAlone(stage, alone);
  const passages = [
    {
      name: 'ours',
      p50: quantile(0.5, latencies),
      p99: quantile(0.99, latencies),
      perSecond: await drain(stage, many),
    },
  ];
  console.log(plain(eventsTable(passages)));
  return passages;
}

/** From an approval's timestamp to its payment's, both by Postgres' clock. */
async function approveAlone({ ours: { v1, database } }: Stage, count: number): Promise<number[]> {
  const ids: string[] = [];
  const request = (n: number) => {
    const approval = PATHS.approve.ask(v1, n);
    ids.push(approval.path.split('/').at(-2)!);
    return approval;
  };
  await load(v1.origin, { connections: 1, count, request });
  const { rows } = await database.query<{ ms: number }>(
    `select (extract(epoch from payment.created_at - entry.at) * 1000)::float8 as ms
     from review.audit_entry entry join payments.payment payment on payment.source_id = entry.subject_id
     where entry.action = 'timesheet.approved' and entry.subject_id = any($1)`,
    [ids],
  );
  return rows.map(({ ms }) => ms);
}

const APPLIED = `select min(count)::int as count, min((count - 1) / nullif(seconds, 0))::float8 as "perSecond" from (
    select count(*), extract(epoch from max(applied_at) - min(applied_at)) as seconds
    from payments.applied_operation where operation_id = any($1)
    union all
    select count(*), extract(epoch from max(applied_at) - min(applied_at))
    from review.applied_operation where operation_id = any($1)
  ) consumer`;

/** Events per second that the slower of two consumers applies. */
async function drain({ ours: { database } }: Stage, many: number): Promise<number> {
  const ids = await copyEvents(database, { count: many, workspaces: WORKSPACES, consumers: ['review', 'payments'] });
  for (;;) {
    const [applied] = (await database.query<{ count: number; perSecond: number }>(APPLIED, [ids])).rows;
    if (applied!.count === many) return applied!.perSecond;
    await pause(200);
  }
}

export function eventsTable(passages: readonly Passage[]): Table {
  return {
    title: 'Events: from an approval to its payment, each alone; and how many a second are applied when many wait',
    heads: ['', 'p50 ms', 'p99 ms', 'a second'],
    rows: passages.map(({ name, p50, p99, perSecond }) => [
      ...[name, p50.toFixed(1), p99.toFixed(1)],
      perSecond.toFixed(0),
    ]),
  };
}
