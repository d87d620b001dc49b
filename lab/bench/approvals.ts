import { progress } from '@payroll/tools/cli';
import { copyEvents } from '@payroll/tools/demo/copied-events';
import { quantile } from '@payroll/tools/operate/requests';
import { liftLimits } from './workspaces.js';
import { type Measured, load, measure } from './measure.js';
import { PATHS, asked } from './paths.js';
import type { Table } from '../table.js';
import { until } from '../until.js';
import type { System } from './requests.js';
import type { Stage } from './stage.js';

/** 2,000 requests a minute, all of them writes. */
const PER_SECOND = 33;
const SECONDS = 30;
const CONNECTIONS = 32;
const FLAT_OUT = 1_000;
const WARM_UP = 100;

/** The number of approvals that a side needs. */
export function approvalsOfOne(share: number): number {
  return [WARM_UP, FLAT_OUT, PER_SECOND * SECONDS].reduce((sum, count) => sum + Math.ceil(count * share), 0);
}

/** Approvals in one workspace: at the rate that its limit allows, and as fast as possible. */
export async function measureOneWorkspace({ ours, bare, before }: Stage, share: number): Promise<Table> {
  const approve = async ({ one }: System, count: number, perSecond?: number): Promise<Measured> => {
    const load = { connections: CONNECTIONS, count: Math.ceil(count * share), ...(perSecond && { perSecond }) };
    return { name: one.name, ...(await measure(asked(one, PATHS.approve.ask), load)) };
  };
  const flatOut: Measured[] = [];
  const steady: Measured[] = [];
  for (const system of [ours, bare, ...(before === null ? [] : [before])]) {
    progress(`one workspace: ${system.one.name}, flat out and at ${PER_SECOND} a second …`);
    const restoreLimits = await liftLimits(system.database, [system === bare ? 'bench' : 'workspaces']);
    await approve(system, WARM_UP);
    flatOut.push(await approve(system, FLAT_OUT));
    await restoreLimits();
    steady.push(await approve(system, PER_SECOND * SECONDS, PER_SECOND));
  }
  const rows = (how: string, measured: readonly Measured[]) =>
    measured.map(({ name, perSecond, p50, p99, unavailable, cpu, postgres, nats }) => [
      ...[`${name}, ${how}`, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), String(unavailable)],
      ...[cpu, postgres, nats].map((each) => each.toFixed(2)),
    ]);
  return {
    title:
      'One workspace, approvals by 40 keys: at the rate that its limit allows, and flat out with its limits lifted',
    heads: ['', 'a second', 'p50 ms', 'p99 ms', '503', 'CPU-ms', 'Postgres', 'NATS'],
    rows: [...rows(`${PER_SECOND} a second`, steady), ...rows('flat out, no limits', flatOut)],
  };
}

/** Each is sent after the previous one has arrived. */
const ALONE = 50;
const MANY = 5_000;
/** Events of one workspace are applied one after the other, so this is the number of parallel lanes. */
const WORKSPACES = 64;

/** The latency from a change in one service to its effect in another, and how many a second are delivered when many wait. */
export async function measureEvents(stage: Stage, share: number): Promise<Table> {
  const alone = Math.ceil(ALONE * share);
  const many = Math.ceil(MANY * share);
  progress(`events: ${alone} alone, then ${many} at once …`);
  const latencies = await approveAlone(stage, alone);
  const [p50, p99] = [0.5, 0.99].map((each) => quantile(each, latencies).toFixed(1));
  return {
    title: 'Events: from an approval to its payment, each alone; and how many a second are applied when many wait',
    heads: ['', 'p50 ms', 'p99 ms', 'a second'],
    rows: [['ours', p50!, p99!, (await drain(stage, many)).toFixed(0)]],
  };
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
  const all = await until(async () => {
    const [applied] = (await database.query<{ count: number; perSecond: number }>(APPLIED, [ids])).rows;
    return applied!.count === many && applied!;
  });
  return all!.perSecond;
}
