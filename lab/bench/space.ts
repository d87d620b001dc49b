import { randomUUID } from 'node:crypto';
import { progress } from '@payroll/tools/cli';
import { type GraphqlAccess, accessTo, ask, instruct } from '@payroll/tools/demo/graphql-client';
import { REQUEST_FUNDING, SUBMIT_TIMESHEET, transferOf } from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { type Submitted, contractIn, hourly, registerWorker } from '@payroll/tools/demo/steps';
import type { Client } from 'pg';
import { load, settled } from './measure.js';
import { PATHS } from './paths.js';
import { liftLimits } from './workspaces.js';
import type { Table } from '../table.js';
import { until } from '../until.js';
import type { Stage } from './stage.js';

const APPROVALS = 1_000;
const CONNECTIONS = 4;

/** Days after which rows are deleted (docs/operations.md, "Retention"); all other tables keep theirs permanently. */
const KEPT_DAYS: readonly (readonly [table: RegExp, days: number])[] = [
  [/\.outbox_(event|delivery)$/, 30],
  [/\.operation_outcome$/, 7],
  [/\.(rate_counter|session|oauth_artifact|deferred_work)$/, 1],
];

/**
 * Bytes that a timesheet leaves in the tables that grew, with their indexes, rewritten without gaps (packed) and as the run left
 * them; and in Postgres' log. Submitted by the graph, approved at `/v1`, paid at once by the sandbox provider.
 */
export async function measureSpace({ stack, ours }: Stage, share: number): Promise<Table> {
  const { database } = ours;
  const count = Math.ceil(APPROVALS * share);
  progress(`space: ${count} timesheets submitted, approved and paid …`);
  const restoreLimits = await liftLimits(database, ['workspaces']);
  const workspace = stack.file.workspaces![0]!;
  const access = accessTo(stack.file.graphql, workspace.id);
  const contractId = await payableContract(access);
  const before = await sizesOf(database);
  const begun = await logPosition(database);
  const submitted = await submit(access, contractId, count);
  const between = await logPosition(database);
  const keys = [{ authorization: `Bearer ${workspace.apiKeys.admin}` }];
  const side = { ...ours.v1, workspaces: [{ keys, timesheets: submitted, contractIds: [] }] };
  await load(side.origin, { connections: CONNECTIONS, count, request: (n) => PATHS.approve.ask(side, n) });
  await paid(database, contractId, count);
  await settled(() => Object.values(ours.v1.processes()));
  const ended = await logPosition(database);
  const asLeft = await sizesNow(database);
  const packed = await sizesOf(database);
  await restoreLimits();
  const tables = [...packed].flatMap(([table, { rows, bytes }]) => {
    const first = before.get(table)!;
    const grown = (after: number) => Math.round((after - first.bytes) / count);
    const days = KEPT_DAYS.find(([names]) => names.test(table))?.[1] ?? null;
    const added = (rows - first.rows) / count;
    if (added < 0.01) return [];
    return { table, days, rows: added, packed: grown(bytes), asLeft: grown(asLeft.get(table)!.bytes) };
  });
  const sums = (of: typeof tables) =>
    (['packed', 'asLeft'] as const).map((size) => String(of.reduce((total, each) => total + each[size], 0)));
  const inKb = (bytes: number): string => `${(bytes / count / 1_000).toFixed(1)} KB`;
  const log = `Postgres' log: ${inKb(between - begun)} for its submission, ${inKb(ended - between)} for the rest`;
  return {
    title: `Space: bytes that each of ${count} timesheets leaves, submitted, approved, paid and settled; ${log}`,
    heads: ['', 'kept', 'rows', 'bytes, packed', 'bytes, as left'],
    rows: [
      ...tables
        .toSorted((a, b) => b.packed - a.packed)
        .map(({ table, days, rows, packed, asLeft }) => [
          ...[table, days === null ? 'permanently' : `${days} days`, rows.toFixed(1), String(packed), String(asLeft)],
        ]),
      ['all, permanently', '', '', ...sums(tables.filter(({ days }) => days === null))],
      ['all, for days', '', '', ...sums(tables.filter(({ days }) => days !== null))],
    ],
  };
}

async function payableContract(access: GraphqlAccess): Promise<string> {
  await instruct(access, REQUEST_FUNDING, transferOf('900000000', 'EUR'));
  const worker = await registerWorker(access, `Sam Space ${randomUUID().slice(0, 8)}`, 'bench.example');
  await payTo(access, worker.id, 'DE89 3704 0044 0532 0130 00');
  const terms = { startDate: '2020-01-01', invoicingSettings: { paymentDueDays: 0 } };
  return await contractIn(access, worker, hourly('Space', 'EUR', '50', terms), 'active');
}

/** Each of one day, because periods of a contract may not overlap; all in the past, so that each is due at once. */
async function submit(access: GraphqlAccess, contractId: string, count: number): Promise<Submitted[]> {
  const submitted: Submitted[] = [];
  let days = 0;
  const some = async (): Promise<void> => {
    while (days < count) {
      const day = new Date(Date.UTC(2020, 0, 1 + days++)).toISOString().slice(0, 10);
      const input = { contractId, periodStart: day, periodEnd: day, unitsWorked: '8' };
      submitted.push(await ask<Submitted>(access, SUBMIT_TIMESHEET, { input }));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, some));
  return submitted;
}

const PAID_WITHIN_MS = 600_000;

async function paid(database: Client, contractId: string, count: number): Promise<void> {
  const statement = `select from payments.payment where contract_id = $1 and status = 'completed'`;
  const isPaid = async () => ((await database.query(statement, [contractId])).rowCount ?? 0) >= count;
  const seen = await until(isPaid, { everyMs: 1_000, withinMs: PAID_WITHIN_MS });
  if (seen === undefined) throw new Error(`Not all ${count} payments were completed in time.`);
}

async function logPosition(database: Client): Promise<number> {
  const { rows } = await database.query<{ at: string }>(`select pg_current_wal_lsn() - '0/0' as at`);
  return Number(rows[0]!.at);
}

const TABLES = `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables order by 1`;

type Sizes = ReadonlyMap<string, { rows: number; bytes: number }>;

/** After every table was rewritten. */
async function sizesOf(database: Client): Promise<Sizes> {
  const { rows } = await database.query<{ name: string }>(TABLES);
  for (const { name } of rows) await database.query(`vacuum (full) ${name}`);
  return await sizesNow(database);
}

/** Tables with their indexes. */
async function sizesNow(database: Client): Promise<Sizes> {
  const { rows } = await database.query<{ name: string }>(TABLES);
  const sizes = new Map<string, { rows: number; bytes: number }>();
  for (const { name } of rows) {
    const statement = `select count(*)::int as rows, pg_total_relation_size('${name}')::float8 as bytes from ${name}`;
    sizes.set(name, (await database.query<{ rows: number; bytes: number }>(statement)).rows[0]!);
  }
  return sizes;
}
