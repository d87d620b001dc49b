import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { seedDemo } from '../demo/seed.js';
import { startStack } from '../local/stack.js';
import { cpuMs, familyOf } from './cpu.js';
import { load, type LoadResult, type Request } from './load.js';
import { submitWork } from './submitted-work.js';
import { approve, directTarget, get, systemTarget, type Target } from './targets.js';

const USAGE = `Usage: npm run bench [-- --rounds <n>]

Compares /v1 with a bare Fastify + pg handler doing the same SQL, in one run on this machine: CPU per request of our
processes, and latency, at 32 connections and at 2. Starts a system of its own on free ports. Needs Linux (/proc).
`;

const FORGET_COUNTS = `update workspaces.rate_counter set used = 0
  where subject in (select subject from workspaces.rate_counter for update skip locked)`;

/** Each timesheet is approved once, so every round needs new ones. */
const APPROVALS = 100;

interface Path {
  name: string;
  /** Not tried out before it is measured. */
  cold?: boolean;
  count: number;
  connections: number;
  request: (target: Target, n: number) => Request;
}

async function main(rounds: number): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'payroll-bench-'));
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o711);
  say('Starting a system of its own …');
  const stack = cleanup.use(
    await startStack({ dir, ports: 'free', durable: false, seed: seedDemo, onProgress: () => {} }),
  );
  const database = cleanup.adopt(new Client(stack.database.adminUrl.replace(/\/[^/]*$/, '/payroll')), (open) =>
    open.end(),
  );
  await database.connect();
  const work = await submitWork(stack, 100 + rounds * 2 * APPROVALS);
  await database.query(`create schema bench; create table bench.claim (principal_id uuid, key text, operation_id uuid,
    answer text, primary key (principal_id, key)); create table bench.audit (id uuid, change jsonb);
    create table bench.payment (source uuid primary key, id uuid)`);
  // The limits are not what is measured: nobody comes near them. Counters that are in use are passed over.
  const timer = setInterval(() => void database.query(FORGET_COUNTS), 50);
  cleanup.defer(() => clearInterval(timer));
  const targets = [systemTarget(stack), await directTarget(stack, database, cleanup)];
  const toApprove = work.slice(100);
  const read = (n: number): string => work[n % 100]!.id;
  const paths: Path[] = [
    { name: 'GET one', count: 4000, connections: 32, request: (t, n) => get(t, `/timesheets/${read(n)}`) },
    { name: 'LIST 50', count: 1500, connections: 32, request: (t) => get(t, '/timesheets') },
    {
      name: 'GET one, 2 connections',
      count: 1000,
      connections: 2,
      request: (t, n) => get(t, `/timesheets/${read(n)}`),
    },
    { name: 'approve', count: APPROVALS, connections: 8, cold: true, request: (t) => approve(t, toApprove.pop()!) },
  ];
  say(
    `\n${'path'.padEnd(24)}${'CPU-ms/request'.padStart(24)}${'ratio'.padStart(8)}${'with Postgres, NATS'.padStart(22)}${'p50 ms'.padStart(16)}${'p99 ms'.padStart(16)}`,
  );
  const { postgres, nats } = stack;
  for (const path of paths) await compare(path, targets, rounds, () => [...familyOf(postgres.pid!), nats.pid!]);
}

async function compare(
  path: Path,
  targets: readonly Target[],
  rounds: number,
  backends: () => number[],
): Promise<void> {
  const measured = new Map<string, { own: number; all: number; result: LoadResult }[]>();
  const warmUp = path.cold ? 0 : 300;
  for (const target of targets)
    await load({ ...path, ...target, count: warmUp, request: (n) => path.request(target, n) });
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      const [own, shared] = [cpuMs(target.pids()), cpuMs(backends())];
      const result = await load({ ...path, ...target, request: (n) => path.request(target, n) });
      const ownMs = cpuMs(target.pids()) - own;
      const all = ownMs + cpuMs(backends()) - shared;
      measured.set(target.name, [
        ...(measured.get(target.name) ?? []),
        { own: ownMs / path.count, all: all / path.count, result },
      ]);
    }
  }
  const [system, direct] = ['system', 'direct'].map((name) => summary(measured.get(name)!));
  const cpu = `${system!.own.toFixed(2)} / ${direct!.own.toFixed(2)}`;
  const ms = (a: number, b: number): string => `${a.toFixed(1)} / ${b.toFixed(1)}`.padStart(16);
  say(
    path.name.padEnd(24) +
      cpu.padStart(24) +
      `×${(system!.own / direct!.own).toFixed(1)}`.padStart(8) +
      `×${(system!.all / direct!.all).toFixed(1)}`.padStart(22) +
      ms(system!.p50, direct!.p50) +
      ms(system!.p99, direct!.p99),
  );
}

function summary(runs: readonly { own: number; all: number; result: LoadResult }[]) {
  const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const at = (share: number): number =>
    median(runs.map(({ result: { latencies } }) => latencies[Math.floor(latencies.length * share)]!));
  return {
    own: median(runs.map(({ own }) => own)),
    all: median(runs.map(({ all }) => all)),
    p50: at(0.5),
    p99: at(0.99),
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const args = process.argv.slice(2);
if (args.includes('--help')) process.stdout.write(USAGE);
else await main(Number(args[args.indexOf('--rounds') + 1] || 3));
