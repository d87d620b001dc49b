import { parseArgs } from 'node:util';
import { seedDemo } from '../demo/seed.js';
import type { Submitted } from '../demo/steps.js';
import { processes } from '../local/processes.js';
import { count, runCommand } from '../local/run-command.js';
import { startThrowAwayStack, type StackOptions } from '../local/stack.js';
import { connect, familyOf, liftLimits } from './load.js';
import { compare, report, WARM_UP } from './measure.js';
import { APPROVALS, pathNames, pathsOver, submitWork, type PathName } from './paths.js';
import { bareTarget, ourTarget, type Target } from './targets.js';

export const USAGE = `Usage: npm run bench [-- options]

Compares /v1 with a bare Fastify + pg handler that does the same admission and data statements, in one run on this
machine: CPU per request over all our processes, requests per second, latencies. Starts a system of its own on free
ports, with data of its own. Needs Linux (/proc). Nothing fails for being slow.

  --path <name>        one path only (may be repeated): ${pathNames.join(', ')}
  --rounds <n>         how often each is measured; the median is shown (default 3)
  --connections <n>    at how many connections (may be repeated; default 32 and 2)
  --metrics            every process serves its metrics, as in docker-compose
  --help               this text
`;

export interface Options {
  paths: readonly PathName[];
  rounds: number;
  connections: readonly number[];
  metrics: boolean;
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      path: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', multiple: true, default: ['32', '2'] },
      metrics: { type: 'boolean', default: false },
    },
  });
  return {
    paths: values.path?.map(pathName) ?? pathNames,
    rounds: count('--rounds', values.rounds),
    connections: values.connections.map((text) => count('--connections', text)),
    metrics: values.metrics,
  };
}

function pathName(text: string): PathName {
  const name = pathNames.find((each) => each === text);
  if (name === undefined) throw new Error(`--path is one of: ${pathNames.join(', ')}`);
  return name;
}

/** Timesheets that are read and stay submitted. */
const READ = 100;

async function main(options: Options): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const stack = cleanup.use(await startThrowAwayStack('bench', seedDemo, progress, { env: environments(options) }));
  const database = await connect(stack, cleanup);
  const work = await submitWork(stack, database, READ + approvalsOf(options));
  const targets = [ourTarget(stack), await bareTarget(stack, database, cleanup)] as const;
  const paths = pathsOver(work.slice(0, READ), handOut(work.slice(READ)));
  liftLimits(database, ['workspaces', 'bench'], cleanup);
  const backends = (): number[] => [...familyOf(stack.postgres.pid!), stack.nats.pid!];
  for (const name of options.paths) {
    for (const connections of options.connections) {
      const { title } = paths[name];
      progress(`${title} at ${connections} connections: ${options.rounds} rounds …`);
      const measured = await compare(paths[name], targets, { ...options, connections, backends });
      console.log(report(title, connections, measured));
    }
  }
}

function environments({ metrics }: Options): NonNullable<StackOptions['env']> {
  if (!metrics) return {};
  return Object.fromEntries(processes.map(({ name }) => [name, { METRICS_LISTEN_PORT: '0' }]));
}

function approvalsOf({ paths, rounds, connections }: Options): number {
  return paths.includes('approve') ? connections.length * (WARM_UP + rounds * APPROVALS) : 0;
}

/** Each target approves each timesheet once: the bare handler has copies of its own, all at their first version. */
function handOut(work: readonly Submitted[]): (target: Target) => Submitted {
  const left = { ours: [...work], bare: work.map(({ id }) => ({ id, version: '1' })) };
  return ({ name }) => left[name].pop()!;
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

await runCommand('bench', { usage: USAGE, read: readOptions, run: main });
