import { setTimeout as pause } from 'node:timers/promises';
import { count, options, runCommand } from '@payroll/tools/cli';
import { seedDemo } from '@payroll/tools/demo/seed';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { startThrowAwayStack } from '@payroll/tools/local/stack';
import { message, quantile, type Request } from '@payroll/tools/operate/requests';
import { cpuMs, load, type Loaded, residentMb } from './measure.js';
import { connect, liftLimits } from './workspaces.js';

const USAGE = `Usage: npm run hosts [-- options]

Many assistants at once: each lists the tools and calls one after the other, for a while; then as many integrators make the
same calls on /v1. Prints errors, messages per second, latencies, CPU per message and the ratio of the two, and the memory of the
mcp process. Starts a system of its own on free ports. Needs Linux (/proc). Exit code 1 where a call failed.

  --hosts <n>      how many (default 500)
  --seconds <n>    how long each of the two (default 60)
  --help           this text
`;

/** A tool, and the API operation behind it. Assistants list the tools before each call. */
const CALLS = [
  { tool: 'get_business', given: {}, path: '/business' },
  { tool: 'list_timesheets', given: { status: 'submitted' }, path: '/timesheets?status=submitted&limit=25' },
  { tool: 'list_contracts', given: {}, path: '/contracts?limit=25' },
] as const;
const MESSAGES_A_TURN = 2;

async function main(crowd: Crowd): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const stack = cleanup.use(await startThrowAwayStack('hosts', seedDemo));
  await liftLimits(await connect(stack.file, cleanup), ['workspaces']);
  const { rest, mcp, workspaces } = stack.file;
  const { mcpTokens, apiKeys } = workspaces![0]!;
  const as = (secrets: object) => {
    const all = Object.values(secrets).map((secret) => ({ authorization: `Bearer ${String(secret)}` }));
    return (n: number) => all[n % all.length]!;
  };
  const [asAssistant, asIntegrator] = [as(mcpTokens!), as(apiKeys)];
  const assistants = await measured(stack, mcp!.url, crowd, (n) => {
    const { tool, given } = CALLS[Math.floor(n / MESSAGES_A_TURN) % CALLS.length]!;
    const isList = n % MESSAGES_A_TURN === 0;
    return isList
      ? message(asAssistant(n), 'tools/list', {})
      : message(asAssistant(n), 'tools/call', { name: tool, arguments: given });
  });
  const integrators = await measured(stack, rest.url, crowd, (n) => {
    return { method: 'GET', path: `/v1${CALLS[n % CALLS.length]!.path}`, headers: asIntegrator(n) };
  });
  report(`${crowd.hosts} hosts at /mcp, ${crowd.seconds} s`, assistants);
  report(`${crowd.hosts} clients at /v1, ${crowd.seconds} s`, integrators);
  const ratio = (MESSAGES_A_TURN * assistants.cpuPerCall) / integrators.cpuPerCall;
  console.log(`CPU of listing the tools and calling one: ×${ratio.toFixed(1)} of the same call on /v1`);
  console.log(`memory of mcp: ${assistants.memory.map((mb) => `${mb.toFixed(0)} MB`).join(' → ')} in equal steps`);
  process.exitCode = assistants.unavailable + integrators.unavailable > 0 ? 1 : 0;
}

interface Crowd {
  hosts: number;
  seconds: number;
}

interface Measured extends Loaded {
  /** All our processes together, in ms. */
  cpuPerCall: number;
  /** Resident memory of the mcp process in MB, at equal intervals after the warm-up. */
  memory: number[];
}

/** All hosts call at once; each sends the next call as soon as the last is answered. */
async function measured(
  { file: { processes } }: Stack,
  url: string,
  { hosts, seconds }: Crowd,
  request: (n: number) => Request,
): Promise<Measured> {
  const pids = Object.values(processes);
  const cpuBefore = cpuMs(pids);
  const memory: number[] = [];
  const watch = async (): Promise<void> => {
    for (let step = 0; step < 5; step++) {
      await pause((seconds * 1_000) / 6);
      memory.push(residentMb(processes['mcp']!));
    }
  };
  const loading = load(new URL(url).origin, { connections: hosts, forMs: seconds * 1_000, request });
  const [loaded] = await Promise.all([loading, watch()]);
  return { ...loaded, memory, cpuPerCall: (cpuMs(pids) - cpuBefore) / loaded.latencies.length };
}

function report(title: string, { latencies, unavailable, seconds, cpuPerCall }: Measured): void {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(share, latencies).toFixed(0));
  const rate = (latencies.length / seconds).toFixed(0);
  console.log(
    `${title}: ${latencies.length} messages, ${rate}/s, p50 ${p50} ms, p99 ${p99} ms, ${cpuPerCall.toFixed(2)} CPU-ms each`,
  );
  console.log(`  errors: ${unavailable === 0 ? 'none' : `${unavailable} × 503`}`);
}

await runCommand('hosts', { usage: USAGE, read: options({ hosts: count(500), seconds: count(60) }), run: main });
