import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** CPU time that processes have used since they started, in ms; of Linux' /proc. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

const LOOK_MS = 100;
const MOST_LOOKS = 100;

/** Resolves when these processes rest: what their answers have led to is done, and counts for whoever asked. */
export async function settled(pids: () => number[]): Promise<void> {
  for (let looks = 0, quiet = 0; quiet < 2 && looks < MOST_LOOKS; looks++) {
    const before = cpuMs(pids());
    await pause(LOOK_MS);
    quiet = cpuMs(pids()) - before <= TICK_MS ? quiet + 1 : 0;
  }
}

/** A process and what it started: Postgres works in its children. */
export function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => fieldsOf(Number(entry))[1] === String(pid))
    .map(Number);
  return [pid, ...children];
}

/** Resident memory. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

function cpuOf(pid: number): number {
  // With what its ended children used: a backend of Postgres that goes must not take its share along.
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fieldsOf(pid).slice(11, 15).map(Number);
  return (user + system + childUser + childSystem) * TICK_MS;
}

/** After the name in brackets, which may hold spaces: state, ppid, … utime and stime. */
function fieldsOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
