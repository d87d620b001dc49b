import { progress } from '@payroll/tools/cli';
import { addWorkspaces } from '@payroll/tools/demo/seed';
import type { DemoWorkspace } from '@payroll/tools/local/stack-file';
import { quantile } from '@payroll/tools/operate/requests';
import { cpuMs, load } from './measure.js';
import { type Side, get } from './requests.js';
import { copiesOf } from '../copied-rows.js';
import type { Table } from '../table.js';
import type { Stage } from './stage.js';

const FEW = 1_000;
const MANY = 1_000_000;
/** Deep in the large workspace; the small one has fewer pages. */
const DEEP_PAGE = 120;
const REQUESTS = 60;
const ROUNDS = 3;

/** Ten contracts have all the work, so that a page of each is full even in the small workspace. */
const contractId = (n: string) => `('00000000-0000-7000-8000-' || lpad((${n} % 10)::text, 12, '0'))::uuid`;

/** One of them. */
const SHOWN_CONTRACT = '00000000-0000-7000-8000-000000000007';
/** Half of the rows have changed since this time. */
const changedSince = (rows: number): string => new Date(START_MS + (rows / 2) * 1000).toISOString();
/** Number of pending payments, which does not grow with the total: open payments are settled some day. */
const PENDING = 500;

const START_MS = Date.UTC(2020, 0, 1);
const moment = `to_timestamp(${START_MS / 1000} + n)`;

const like = (table: string, values: string): string =>
  copiesOf(
    table,
    `t.ctid = (select ctid from ${table} limit 1)`,
    `'id', uuidv7(), 'workspace_id', $1::uuid, 'contract_id', ${contractId('n')},
     'created_at', ${moment}, 'updated_at', ${moment}, ${values}`,
  );

const TIMESHEETS = like(
  'review.timesheet',
  `'status', (array['submitted', 'approved', 'rejected'])[1 + n % 3], 'approve_at', null, 'payment_id', null`,
);
const PAYMENTS = like(
  'payments.payment',
  `'source_id', uuidv7(), 'auto_pay_enabled', false, 'failure_reason', null,
   'status', case when n % greatest($2 / ${PENDING}, 1) = 0 then 'pending' else 'completed' end`,
);

interface Filled {
  side: Side;
  rows: number;
  /** The cursor of a page deep in the list. */
  cursor: string;
}

const REQUESTED: readonly (readonly [title: string, path: (workspace: Filled) => string])[] = [
  ['timesheets, page 1', () => '/timesheets?limit=100'],
  ['timesheets, a page deep in', ({ cursor }) => `/timesheets?limit=100&cursor=${cursor}`],
  ['timesheets of a status', () => '/timesheets?limit=100&status=rejected'],
  ['timesheets of a contract', () => `/timesheets?limit=100&contractId=${SHOWN_CONTRACT}`],
  ['timesheets changed since', ({ rows }) => `/timesheets?limit=100&updatedSince=${changedSince(rows)}`],
  ['payments, page 1', () => '/payments?limit=100'],
  ['payments of a status', () => '/payments?limit=100&status=pending'],
  ['balances', () => '/balances'],
];

/**
 * The cost of a request in a small workspace and in a large one. Alternates between them, so that other load of the machine falls
 * on both.
 */
export async function measureGrowth(stage: Stage, share: number): Promise<Table> {
  const counts = [FEW, Math.ceil(MANY * share)];
  const workspaces: Filled[] = [];
  for (const [n, workspace] of (await addWorkspaces(stage.stack)).entries())
    workspaces.push(await fill(stage, workspace, counts[n]!));
  const rows: string[][] = [];
  for (const [title, path] of REQUESTED) {
    progress(`growth: ${title} …`);
    const { cpu, p50 } = await compareSizes(stage, workspaces, path);
    rows.push([title, ...cpu.map((each) => each.toFixed(2)), ...p50.map((each) => each.toFixed(1))]);
  }
  return {
    title: 'Growth: pages of 100 and balances of a workspace with so many timesheets and payments, one after the other',
    heads: ['', ...counts.map((count) => `CPU-ms, ${count}`), ...counts.map((count) => `p50 ms, ${count}`)],
    rows,
  };
}

/** Timesheets and payments, a second apart. */
async function fill({ ours }: Stage, { id, apiKeys }: DemoWorkspace, rows: number): Promise<Filled> {
  progress(`growth: a workspace of ${rows} timesheets and ${rows} payments …`);
  for (const statement of [TIMESHEETS, PAYMENTS]) await ours.database.query(statement, [id, rows]);
  await ours.database.query('vacuum analyze review.timesheet, payments.payment');
  const keys = Object.values(apiKeys).map((key) => ({ authorization: `Bearer ${key}` }));
  const side = { ...ours.v1, workspaces: [{ keys, timesheets: [], contractIds: [] }] };
  return { side, rows, cursor: await walk(side, Math.min(DEEP_PAGE, rows / 100) - 1) };
}

/** The cursor after this many pages. */
async function walk(side: Side, pages: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < pages; page++) {
    const { path, headers } = get(() => `/timesheets?limit=100${cursor && `&cursor=${cursor}`}`)(side, page);
    const answer = await fetch(side.origin + path, { headers });
    ({ nextCursor: cursor } = (await answer.json()) as { nextCursor: string });
  }
  return cursor;
}

async function compareSizes({ stack }: Stage, workspaces: readonly Filled[], path: (of: Filled) => string) {
  const seen = workspaces.map(() => ({ cpuMs: 0, latencies: [] as number[] }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [n, workspace] of workspaces.entries()) {
      const { side } = workspace;
      const before = cpuMs(Object.values(stack.file.processes));
      const request = (n: number) => get(() => path(workspace))(side, n);
      const { latencies } = await load(side.origin, { connections: 1, count: REQUESTS / ROUNDS, request });
      // The first round warms up.
      if (round === 0) continue;
      seen[n]!.cpuMs += cpuMs(Object.values(stack.file.processes)) - before;
      seen[n]!.latencies.push(...latencies);
    }
  }
  return {
    cpu: seen.map((each) => each.cpuMs / REQUESTS),
    p50: seen.map(({ latencies }) => quantile(0.5, latencies)),
  };
}
