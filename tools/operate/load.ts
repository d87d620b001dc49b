import { setTimeout as pause } from 'node:timers/promises';
import { count, options, runCommand } from '../cli.js';
import { describeLoad, mixedRequests, SteadyLoad } from './steady-load.js';

const USAGE = `Usage: npm run load [-- --seconds <n> --rate <n>]

Sends what callers send, steadily, to the system of STACK_DIR/stack.json (default: that of npm start): rows and lists of /v1,
approvals, tools at /mcp, work submitted by the internal endpoint. Exit code 1 on one failed request.

  --seconds <n>  how long (default 30)
  --rate <n>     requests a second (default 50, for which the demo's limits leave room)
`;

async function main({ seconds, rate }: { seconds: number; rate: number }): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const load = new SteadyLoad(await mixedRequests(cleanup), rate);
  await pause(seconds * 1_000);
  await load[Symbol.asyncDispose]();
  process.stdout.write(describeLoad(`${rate} requests a second for ${seconds} s`, load));
  process.exitCode = load.problems.length === 0 ? 0 : 1;
}

const read = options({ seconds: count(30), rate: count(50) });
await runCommand('load', { usage: USAGE, read, run: main });
