import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Identity } from './process-identity.js';
// Under vitest Node runs this file from source, and finds no `.js` there: hence the dynamic import.
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const { hasEnded, isAlive } = (await import(
  `./process-identity.${extension}`
)) as typeof import('./process-identity.js');

/** How long a process may take to stop by itself before it is killed. */
const graceMs = 5_000;

interface Ward extends Identity {
  readonly signal: NodeJS.Signals;
}

const wards = new Map<number, Ward>();
const paths = new Set<string>();

// The parent handles the terminal's Ctrl-C and hang-up; this process ends when its standard input does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, first = '', ...rest] = JSON.parse(line) as string[];
  if (verb === 'watch') watch(Number(first), rest);
  if (verb === 'forget') wards.delete(Number(first));
  if (verb === 'remove') paths.add(first);
  if (verb === 'keep') paths.delete(first);
}

for (const signalOf of [({ signal }: Ward) => signal, () => 'SIGKILL' as const]) {
  const living = [...wards.values()].filter(isAlive);
  for (const ward of living) stop(ward.pid, signalOf(ward));
  await Promise.all(living.map((ward) => hasEnded(ward, graceMs)));
}
for (const path of paths) await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});

function watch(pid: number, [start = '', signal]: string[]): void {
  wards.set(pid, { pid, start, signal: signal as NodeJS.Signals });
}

function stop(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the check and the signal.
  }
}
