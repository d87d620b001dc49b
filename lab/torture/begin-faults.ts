import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { seedPeople } from '@payroll/tools/demo/seed';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { type ProcessName, repositoryRoot } from '@payroll/infra/processes';
import { count, progress, runCommand } from '@payroll/tools/cli';
import { startThrowAwayStack } from '@payroll/tools/local/stack';
import { otherBuild, patchOf } from './system/other-build.js';
import { FAULTS, type Fault, FaultyPostgres, POINTS, type Point } from './system/faulty-postgres.js';
import { type Piece, type Principal, type Tenant, furnish, waitForPayments } from './system/workspaces.js';
import { type Answer, approvalOf, call } from './v1.js';

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

interface Options {
  faults: number;
  fault: string | undefined;
}

function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { faults: { ...text, default: '10000' }, fault: text } });
  if (values.fault !== undefined) patchOf(values.fault);
  return { faults: count('--faults', values.faults), fault: values.fault };
}

/** Faults and answers so far. */
class Tally {
  readonly thrown = new Map<string, number>();
  total = 0;
  slowestMs = 0;
  unanswered = 0;
  readonly acknowledged: Piece[] = [];

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

async function main({ faults, fault }: Options): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const root = fault === undefined ? repositoryRoot : await otherBuild({ patch: fault }, cleanup);
  const stack = cleanup.use(await startThrowAwayStack('begin-faults', seedPeople, progress, { root }));
  const { href: connectionString } = Object.assign(new URL(stack.database.adminUrl), { pathname: '/payroll' });
  const database = new Pool({ connectionString });
  cleanup.defer(() => database.end());
  const tenants = await furnish(stack, stack.database.ownerUrl, faults * 1.5);
  const tally = new Tally(faults);
  await putWays(stack, database, tally, cleanup);
  const timer = setInterval(() => {
    progress(`  ${tally.total} faults, ${tally.acknowledged.length} approvals acknowledged`);
  }, 5_000);
  const startedAt = performance.now();
  await Promise.all(tenants.flatMap((tenant) => tenant.admins.map((admin) => approve(stack, tenant, admin, tally))));
  clearInterval(timer);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const { without, doubled } = await waitForPayments(database, tally.acknowledged, DRAIN_MS);
  console.log(describe(tally, seconds, without, doubled));
  const isFound = without > 0 || doubled > 0 || tally.unanswered > 0;
  process.exitCode = isFound === (fault !== undefined) ? 0 : 1;
}

/** Restarts the services, each with its own proxies. */
async function putWays(stack: Stack, database: Pool, tally: Tally, cleanup: AsyncDisposableStack): Promise<void> {
  const cancel = (pid: number): Promise<unknown> => database.query('select pg_cancel_backend($1)', [pid]);
  const restarted = SERVICES.map(async (name) => {
    const url = stack.environmentOf(name)['DATABASE_URL']!;
    const way = cleanup.use(
      await FaultyPostgres.to({ port: Number(new URL(url).port), faults: { choose: tally.choose, cancel } }),
    );
    await stack.stop(name);
    await stack.start(name, { DATABASE_URL: way.through(url) });
  });
  await Promise.all(restarted);
}

/** Approves one piece of work after the other, at a rate within the contract's limits. */
async function approve(stack: Stack, { work }: Tenant, { secret }: Principal, tally: Tally): Promise<void> {
  for (let piece = work.pop(); piece && !tally.isOver; piece = work.pop()) {
    const [path, request] = approvalOf(piece);
    const send = async () => tally.note(await call(stack.file.rest.url + path, secret, request));
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { status, headers } = await send();
      if (status === 200) tally.acknowledged.push(piece);
      if (status !== 0 && status < 500 && status !== 429) break;
      await pause(1_000 * Number(headers.get('retry-after') ?? 0.2));
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

await runCommand('begin-faults', { usage: USAGE, read: readOptions, run: main });
