import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
// Under vitest Node runs this file from source, and finds no `.js` there: hence the dynamic import.
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const { startOf } = (await import(`./process-identity.${extension}`)) as typeof import('./process-identity.js');

/** How long a process may take to stop by itself before it is killed. */
const graceMs = 5_000;

interface Ward {
  readonly start: string;
  readonly signal: NodeJS.Signals;
}

const wards = new Map<number, Ward>();
const paths = new Set<string>();

// The terminal's Ctrl-C and hang-up are for the parent; this process ends when its standard input does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, first = '', ...rest] = JSON.parse(line) as string[];
  if (verb === 'watch') wards.set(Number(first), { start: rest[0] ?? '', signal: rest[1] as NodeJS.Signals });
  if (verb === 'forget') wards.delete(Number(first));
  if (verb === 'remove') paths.add(first);
  if (verb === 'keep') paths.delete(first);
}

signalAll((ward) => ward.signal);
const deadline = Date.now() + graceMs;
while (living().length > 0 && Date.now() < deadline) await sleep(50);
signalAll(() => 'SIGKILL');
while (living().length > 0 && Date.now() < deadline + graceMs) await sleep(50);
for (const path of paths) await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});

function living(): [number, Ward][] {
  return [...wards].filter(([pid, ward]) => startOf(pid) === ward.start);
}

function signalAll(signalFor: (ward: Ward) => NodeJS.Signals): void {
  for (const [pid, ward] of living()) {
    try {
      process.kill(pid, signalFor(ward));
    } catch {
      // It ended between the look and the signal.
    }
  }
}
