import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { seedDemo } from '@payroll/tools/demo/seed';
import { readNumbers, runCommand } from '@payroll/tools/cli';
import { startThrowAwayStack } from '@payroll/tools/local/stack';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { type Request, message, problemOf, quantile } from '@payroll/tools/operate/requests';
import { cpuMs, residentMb } from './measure.js';
import { connect, liftLimits } from './workspaces.js';

const USAGE = `Usage: npm run hosts [-- options]

Many assistants at once: each lists the tools and calls one after the other, for a while; then as many integrators make the
same calls on /v1. Prints errors, messages per second, latencies, CPU per message and the ratio of the two, and the memory of the
mcp process. Starts a system of its own on free ports. Needs Linux (/proc). Exit code 1 where a call failed.

  --hosts <n>      how many (default 500)
  --seconds <n>    how long each of the two (default 60)
  --help           this text
`;

/** An assistant lists the tools before each call. */
const MESSAGES_A_TURN = 2;

async function main({ hosts, seconds }: { hosts: number; seconds: number }): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const stack = cleanup.use(await startThrowAwayStack('hosts', seedDemo));
  await liftLimits(await connect(stack.file, cleanup), ['workspaces']);
  const { rest, mcp, workspaces } = stack.file;
  const [first] = workspaces!;
  const tokens = Object.values(first!.mcpTokens!);
  const keys = Object.values(first!.apiKeys);
  const assistants = await measured(stack, { kind: 'mcp', url: mcp!.url, bearers: tokens, hosts, seconds });
  const integrators = await measured(stack, { kind: 'v1', url: rest.url, bearers: keys, hosts, seconds });
  report(`${hosts} hosts at /mcp, ${seconds} s`, assistants);
  report(`${hosts} clients at /v1, ${seconds} s`, integrators);
  const ratio = (MESSAGES_A_TURN * assistants.cpuPerCall) / integrators.cpuPerCall;
  console.log(`CPU of listing the tools and calling one: ×${ratio.toFixed(1)} of the same call on /v1`);
  console.log(`memory of mcp: ${assistants.memory.map((mb) => `${mb.toFixed(0)} MB`).join(' → ')} in equal steps`);
  process.exitCode = assistants.errors.size + integrators.errors.size > 0 ? 1 : 0;
}

interface Measured extends Crowd {
  /** All our processes together, in ms. */
  cpuPerCall: number;
  /** Resident memory of the mcp process in MB, at equal intervals after the warm-up. */
  memory: number[];
}

async function measured(stack: Stack, options: CrowdOptions): Promise<Measured> {
  const pids = Object.values(stack.file.processes);
  const cpuBefore = cpuMs(pids);
  const memory: number[] = [];
  const watch = async (): Promise<void> => {
    for (let step = 0; step < 5; step++) {
      await pause((options.seconds * 1000) / 6);
      memory.push(residentMb(stack.file.processes['mcp']!));
    }
  };
  const [result] = await Promise.all([crowd(options), watch()]);
  return { ...result, memory, cpuPerCall: (cpuMs(pids) - cpuBefore) / result.latencies.length };
}

interface CrowdOptions {
  kind: 'mcp' | 'v1';
  url: string;
  /** Assigned to the hosts in turn. */
  bearers: readonly string[];
  hosts: number;
  seconds: number;
}

interface Crowd {
  /** In ms. */
  latencies: number[];
  errors: Map<string, number>;
  seconds: number;
}

/** A tool, and the API operation behind it. Assistants list the tools before each call. */
const CALLS = [
  { tool: 'get_business', given: {}, path: '/business' },
  { tool: 'list_timesheets', given: { status: 'submitted' }, path: '/timesheets?status=submitted&limit=25' },
  { tool: 'list_contracts', given: {}, path: '/contracts?limit=25' },
] as const;

/** All hosts call at once; each sends the next call as soon as the last is answered. */
async function crowd(options: CrowdOptions): Promise<Crowd> {
  const { url, bearers, hosts, seconds, kind } = options;
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool(new URL(url).origin, { connections: hosts }), (open) => open.close());
  const result: Crowd = { latencies: [], errors: new Map(), seconds };
  const until = performance.now() + seconds * 1000;
  const host = async (n: number): Promise<void> => {
    const headers = { authorization: `Bearer ${bearers[n % bearers.length]}` };
    for (let turn = n; performance.now() < until; turn++) {
      const call = CALLS[turn % CALLS.length]!;
      if (kind === 'v1') await timed(pool, result, { method: 'GET', path: `/v1${call.path}`, headers });
      else {
        await timed(pool, result, message(headers, 'tools/list', {}));
        await timed(pool, result, message(headers, 'tools/call', { name: call.tool, arguments: call.given }));
      }
    }
  };
  await Promise.all(Array.from({ length: hosts }, (_, n) => host(n)));
  return result;
}

async function timed(pool: Pool, { latencies, errors }: Crowd, request: Request): Promise<void> {
  const sentAt = performance.now();
  const problem = await problemOf(pool, request);
  latencies.push(performance.now() - sentAt);
  if (problem !== null) errors.set(problem, (errors.get(problem) ?? 0) + 1);
}

function report(title: string, { latencies, errors, seconds, cpuPerCall }: Measured): void {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(share, latencies).toFixed(0));
  const rate = (latencies.length / seconds).toFixed(0);
  console.log(
    `${title}: ${latencies.length} messages, ${rate}/s, p50 ${p50} ms, p99 ${p99} ms, ${cpuPerCall.toFixed(2)} CPU-ms each`,
  );
  console.log(
    `  errors: ${errors.size === 0 ? 'none' : [...errors].map(([what, times]) => `${times} × ${what}`).join('; ')}`,
  );
}

await runCommand('hosts', { usage: USAGE, read: (args) => readNumbers(args, { hosts: 500, seconds: 60 }), run: main });
