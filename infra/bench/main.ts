import { seedDemo } from '../demo/seed.js';
import { processes } from '../local/processes.js';
import type { StackOptions } from '../local/stack.js';
import { startThrowAwayStack } from '../local/throw-away-stack.js';
import { familyOf } from './cpu.js';
import { connect, liftLimits } from './limits.js';
import { compare, WARM_UP } from './measure.js';
import { runCommand } from '../local/run-command.js';
import { readOptions, USAGE, type Options } from './options.js';
import { APPROVALS, pathsOver } from './paths.js';
import { report } from './report.js';
import { submitWork, type SubmittedWork } from './submitted-work.js';
import { bareTarget, ourTarget, type Target } from './targets.js';

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
      say(report(title, connections, measured));
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
function handOut(work: readonly SubmittedWork[]): (target: Target) => SubmittedWork {
  const left = { ours: [...work], bare: work.map(({ id }) => ({ id, version: '1' })) };
  return ({ name }) => left[name].pop()!;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

await runCommand('bench', { usage: USAGE, read: readOptions, run: main });
