import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import type { ProcessName } from '@payroll/infra/processes';
import { count, options, progress, runCommand } from '@payroll/tools/cli';
import { seedPeople } from '@payroll/tools/demo/seed';
import { startThrowAwayStack } from '@payroll/tools/local/stack';
import { type Answer, ApiClient } from '../v1.js';
import { type Fault, FAULTS, FaultyPostgres, type Point, POINTS } from './system/faulty-postgres.js';
import { plantedFault, rootWith } from './system/other-build.js';
import {
  approvalOf,
  prepareWorkspaces,
  type Principal,
  type Tenant,
  waitForPayments,
  type WorkItem,
} from './system/workspaces.js';

const USAGE = `Usage: npm run begin-faults [-- options]

Approves work at /v1 while the connections of review, payments and contracts to Postgres are cancelled, ended and timed out
at BEGIN, in the first write, in the second write and at ROLLBACK. Every approval is retried under its key until it is
acknowledged. In the end each acknowledged one has exactly one payment. Exit code 1 where one has none or two, or where a
request got no answer in time; with --fault, where the fault was not found.

  --faults <n>    how many are thrown (default 10000)
  --fault <name>  with a fault planted in a copy of our code (lab/torture/planted-faults), which has to be found
  --help          this text
`;

const SERVICES: readonly ProcessName[] = ['review', 'payments', 'contracts'];
/** The share of eligible statements that a fault strikes. A time-out blocks its workspace for seconds. */
const SHARE = 0.25;
const WEIGHTS: Readonly<Record<Fault, number>> = { cancelled: 0.7, terminated: 0.28, 'timed out': 0.02 };
const MAX_TRIES = 30;
const DRAIN_MS = 60_000;

const read = options({ faults: count(10_000), fault: plantedFault });

/** Faults and answers so far. */
class Tally {
  readonly thrown = new Map<string, number>();
  total = 0;
  slowestMs = 0;
  unanswered = 0;
  readonly acknowledged: WorkItem[] = [];

  constructor(private readonly most: number) {}

  get isOver(): boolean {
    return this.total >= this.most;
  }

  choose = (point: Point): Fault | null => {
    if (this.isOver || Math.random() > SHARE) return null;
    let place = Math.random();
    const fault = FAULTS.find((each) => (place -= WEIGHTS[each]) < 0) ?? 'cancelled';
    const name = `${point}, ${fault}`;
    this.thrown.set(name, (this.thrown.get(name) ?? 0) + 1);
    this.total += 1;
    return fault;
  };

  note(answer: Answer): Answer {
    if (answer.status === 0) this.unanswered += 1;
    else this.slowestMs = Math.max(this.slowestMs, answer.ms);
    return answer;
  }
}

async function main({ faults, fault }: ReturnType<typeof read>): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const root = await rootWith(fault, cleanup);
  const stack = cleanup.use(await startThrowAwayStack('begin-faults', seedPeople, progress, { root }));
  const { href: connectionString } = Object.assign(new URL(stack.database.adminUrl), { pathname: '/payroll' });
  const database = new Pool({ connectionString });
  cleanup.defer(() => database.end());
  const tenants = await prepareWorkspaces(stack, stack.database.ownerUrl, faults * 1.5);
  const tally = new Tally(faults);
  const cancel = (pid: number): Promise<unknown> => database.query('select pg_cancel_backend($1)', [pid]);
  await FaultyPostgres.putBefore(stack, SERVICES, { faults: { choose: tally.choose, cancel } }, cleanup);
  const api = cleanup.use(new ApiClient([stack.file.rest.url]));
  const timer = setInterval(() => {
    progress(`  ${tally.total} faults, ${tally.acknowledged.length} approvals acknowledged`);
  }, 5_000);
  const startedAt = performance.now();
  await Promise.all(tenants.flatMap((tenant) => tenant.admins.map((admin) => approve(api, tenant, admin, tally))));
  clearInterval(timer);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const { without, doubled } = await waitForPayments(database, tally.acknowledged, DRAIN_MS);
  console.log(describe(tally, seconds, without, doubled));
  const isFound = without > 0 || doubled > 0 || tally.unanswered > 0;
  process.exitCode = isFound === (fault !== undefined) ? 0 : 1;
}

/** Approves one work item after the other, at a rate within the contract's limits. */
async function approve(api: ApiClient, { work }: Tenant, { secret }: Principal, tally: Tally): Promise<void> {
  for (let item = work.pop(); item && !tally.isOver; item = work.pop()) {
    const request = approvalOf(item);
    const send = async () => tally.note(await api.send(secret, request));
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { status, retryAfterMs = 200 } = await send();
      if (status === 200) tally.acknowledged.push(item);
      if (status !== 0 && status < 500 && status !== 429) break;
      await pause(retryAfterMs);
    }
    // Repeats the request like a caller who lost the answer: a replay ends with ROLLBACK.
    await send();
    await pause(1_000);
  }
}

function describe(tally: Tally, seconds: number, without: number, doubled: number): string {
  const names = POINTS.flatMap((point) => FAULTS.map((fault) => `${point}, ${fault}`));
  return [
    ...names.map((name) => `${String(tally.thrown.get(name) ?? 0).padStart(7)}  ${name}`),
    `${tally.total} faults in ${seconds} s; ${tally.acknowledged.length} approvals acknowledged, ` +
      `${without} without a payment, ${doubled} with two; ${tally.unanswered} requests without an answer, ` +
      `the slowest took ${(tally.slowestMs / 1_000).toFixed(1)} s`,
  ].join('\n');
}

await runCommand('begin-faults', { usage: USAGE, read, run: main });
