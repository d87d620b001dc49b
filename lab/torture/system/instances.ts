import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processes, type ProcessName } from '@payroll/infra/processes';
import { Passage } from '@payroll/tests/support/tcp-proxy';
import type { Stack } from '@payroll/tools/local/assemble-stack';

/** The servers that a process connects to, with the variable for their address. */
const SERVERS = { Postgres: 'DATABASE_URL', NATS: 'NATS_URL', admission: 'ADMISSION_URL' } as const;
type Server = keyof typeof SERVERS;

/** A running process of the system, the proxies to its servers, and its clock. */
export interface Instance {
  name: string;
  kind: ProcessName;
  pid: () => number | undefined;
  kill: (signal: NodeJS.Signals) => Promise<void>;
  ready: () => Promise<void>;
  proxies: Readonly<Partial<Record<Server, Passage>>>;
  setClock: (offsetMs: number) => void;
}

/** Processes that hold money, keys and answers run twice. */
const TWICE: readonly ProcessName[] = ['review', 'payments', 'rest-facade'];
const CLOCK = new URL('./shifted-clock.js', import.meta.url).href;

/** Restarts every process with proxies of its own, and some of them twice. The facades come with their address. */
export async function startInstances(
  stack: Stack,
  more: Partial<Record<ProcessName, Record<string, string>>>,
  cleanup: AsyncDisposableStack,
): Promise<{ instances: Instance[]; facades: string[] }> {
  const facades = [new URL(stack.file.rest.url).origin];
  // The provider is not one of our processes.
  const own = processes.filter(({ name }) => name !== 'sandbox-provider');
  const restarted = own.map(async ({ name }): Promise<Instance> => {
    const { env, ...instance } = await wire(stack, name, name, cleanup);
    await stack.stop(name);
    await stack.start(name, { ...env, ...more[name] });
    const kill = (by: NodeJS.Signals) => stack.kill(name, by);
    return { ...instance, pid: () => stack.file.processes[name], kill, ready: () => stack.ready(name) };
  });
  const instances = await Promise.all(restarted);
  for (const kind of TWICE) {
    const { env, ...instance } = await wire(stack, kind, `${kind}-2`, cleanup);
    const other = cleanup.use(await stack.another(kind, { ...env, ...more[kind] }));
    const { kill, ready, url } = other;
    instances.push({ ...instance, pid: () => other.pid, kill, ready });
    if (kind === 'rest-facade') facades.push(url);
  }
  return { instances, facades };
}

async function wire(stack: Stack, kind: ProcessName, name: string, cleanup: AsyncDisposableStack) {
  const addresses = stack.environmentOf(kind);
  const clock = join(stack.dir, `clock-${name}`);
  const setClock = (offsetMs: number): void => writeFileSync(clock, String(offsetMs));
  setClock(0);
  const proxies: Partial<Record<Server, Passage>> = {};
  const env: Record<string, string> = { NODE_OPTIONS: `--import ${CLOCK}`, CLOCK_FILE: clock };
  for (const [server, variable] of Object.entries(SERVERS) as [Server, string][]) {
    const url = addresses[variable];
    if (url === undefined) continue;
    const proxy = cleanup.use(await Passage.to(Number(new URL(url).port)));
    proxies[server] = proxy;
    env[variable] = proxy.through(url);
  }
  return { env, name, kind, proxies, setClock };
}

const ENDS_WITHIN_MS = 15_000;

/** Like an orchestrator: stops gracefully, then by force if it takes too long. */
export async function replace({ kill, pid }: Instance): Promise<void> {
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

/** @returns the function that resumes them */
export function suspend(instances: readonly Pick<Instance, 'pid'>[]): () => void {
  const suspended = instances.map(({ pid }) => pid());
  for (const pid of suspended) signal(pid, 'SIGSTOP');
  return () => suspended.forEach((pid) => signal(pid, 'SIGCONT'));
}
