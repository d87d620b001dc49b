import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { type ProcessName, processes } from '@payroll/infra/processes';
import { Passage } from '@payroll/tests/support/tcp-proxy';

/** The servers that a process connects to, with the variable for their address. */
const WAYS = { Postgres: 'DATABASE_URL', NATS: 'NATS_URL', admission: 'ADMISSION_URL' } as const;
type Way = keyof typeof WAYS;

/** A process of the system, the proxies to its servers, and its clock. */
export interface Victim {
  name: string;
  kind: ProcessName;
  pid: () => number | undefined;
  kill: (signal: NodeJS.Signals) => Promise<void>;
  ready: () => Promise<void>;
  ways: Readonly<Partial<Record<Way, Passage>>>;
  setClock: (offsetMs: number) => void;
}

/** Processes that hold money, keys and answers run twice. */
const TWICE: readonly ProcessName[] = ['review', 'payments', 'rest-facade'];
const CLOCK = new URL('./shifted-clock.js', import.meta.url).href;

/** Restarts every process with its own proxies, and some of them twice. The facade's come with their address. */
export async function takeOver(
  stack: Stack,
  more: Partial<Record<ProcessName, Record<string, string>>>,
  cleanup: AsyncDisposableStack,
): Promise<{ victims: Victim[]; facades: string[] }> {
  const facades = [new URL(stack.file.rest.url).origin];
  // The provider is not one of our processes.
  const own = processes.filter(({ name }) => name !== 'sandbox-provider');
  const rewired = own.map(async ({ name }) => {
    const wired = await wire(stack, name, name, cleanup);
    await stack.stop(name);
    await stack.start(name, { ...wired.env, ...more[name] });
    return { ...wired.victim, pid: () => stack.file.processes[name], ...controlOf(stack, name) };
  });
  const victims: Victim[] = await Promise.all(rewired);
  for (const kind of TWICE) {
    const wired = await wire(stack, kind, `${kind}-2`, cleanup);
    const other = cleanup.use(await stack.another(kind, { ...wired.env, ...more[kind] }));
    const { kill, ready, url } = other;
    victims.push({ ...wired.victim, pid: () => other.pid, kill, ready });
    if (kind === 'rest-facade') facades.push(url);
  }
  return { victims, facades };
}

const controlOf = (stack: Stack, name: ProcessName) => ({
  kill: (signal: NodeJS.Signals) => stack.kill(name, signal),
  ready: () => stack.ready(name),
});

async function wire(stack: Stack, kind: ProcessName, name: string, cleanup: AsyncDisposableStack) {
  const addresses = stack.environmentOf(kind);
  const ways: Partial<Record<Way, Passage>> = {};
  const env: Record<string, string> = {};
  for (const [way, variable] of Object.entries(WAYS) as [Way, string][]) {
    const url = addresses[variable];
    if (url === undefined) continue;
    ways[way] = cleanup.use(await Passage.to(Number(new URL(url).port)));
    env[variable] = ways[way].through(url);
  }
  const clock = join(stack.dir, `clock-${name}`);
  const setClock = (offsetMs: number): void => writeFileSync(clock, String(offsetMs));
  setClock(0);
  Object.assign(env, { NODE_OPTIONS: `--import ${CLOCK}`, CLOCK_FILE: clock });
  return { env, victim: { name, kind, ways, setClock } };
}

const ENDS_WITHIN_MS = 15_000;

/** Like an orchestrator: stops gracefully, then by force if it takes too long. */
export async function replace({ kill, pid }: Victim): Promise<void> {
  const replaced = pid();
  const timer = setTimeout(() => signal(replaced, 'SIGKILL'), ENDS_WITHIN_MS);
  await kill('SIGTERM');
  clearTimeout(timer);
}

export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name);
  } catch {
    // It was killed in the meantime.
  }
}
