import { setTimeout as pause } from 'node:timers/promises';
import { count, options, runCommand, text } from '../cli.js';
import { processes } from '@payroll/infra/processes';
import { containersOf, restartContainer } from './containers.js';
import { describeLoad, mixedRequests, SteadyLoad } from './steady-load.js';

const USAGE = `Usage: npm run rolling-restart -- --project <name> [--rate <n>]

Restarts every container of every process of ours in a running docker-compose project, one after the other, under a steady
load on its published ports: rows and lists of /v1, approvals, tools at /mcp, work submitted by the internal endpoint. One
line for each process; exit code 1 on one failed request. The addresses and keys are those of STACK_DIR/stack.json.

  --project <n>  the compose project
  --rate <n>     requests a second (default 50)
`;

/** Failures that follow a restart belong to its line. */
const SETTLE_MS = 2_000;

async function main({ project, rate }: { project: string | undefined; rate: number }): Promise<void> {
  if (project === undefined) throw new Error('--project is missing.');
  await using cleanup = new AsyncDisposableStack();
  const load = new SteadyLoad(await mixedRequests(cleanup), rate);
  await using _sending = load;
  await pause(SETTLE_MS);
  for (const { name } of processes) {
    const before = load.tally;
    const containers = await containersOf(project, name);
    for (const container of containers) {
      await restartContainer(container);
      await pause(SETTLE_MS);
    }
    const { sent, failed } = load.tally;
    console.log(
      `${name.padEnd(12)} ${containers.length} restarted, ${sent - before.sent} requests, ${failed - before.failed} failed`,
    );
  }
  await load[Symbol.asyncDispose]();
  console.log(describeLoad(`Rolling restart of all processes under a steady ${rate} requests a second`, load));
  process.exitCode = load.problems.length === 0 ? 0 : 1;
}

await runCommand('rolling-restart', { usage: USAGE, read: options({ project: text, rate: count(50) }), run: main });
