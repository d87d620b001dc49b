import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** CPU time that processes have used since they started, in ms; read from Linux' /proc. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

const LOOK_MS = 100;
const MAX_LOOKS = 100;

/** Resolves when these processes are idle: work that follows an answer counts for the request. */
export async function settled(pids: () => number[]): Promise<void> {
  for (let looks = 0, quiet = 0; quiet < 2 && looks < MAX_LOOKS; looks++) {
    const before = cpuMs(pids());
    await pause(LOOK_MS);
    quiet = cpuMs(pids()) - before <= TICK_MS ? quiet + 1 : 0;
  }
}

/** The servers behind a system. Each pid includes its children: Postgres works in them. */
export interface Servers {
  postgres: () => number[];
  nats: () => number[];
}

/** Works for any version of the system: Postgres is the parent of this connection's backend, and NATS its sibling. */
export async function serversBehind(database: Client): Promise<Servers> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postgres = parentOf(rows[0]!.pid);
  const nats = childrenOf(parentOf(postgres)).find((pid) => statOf(pid).name === 'nats-server');
  if (nats === undefined) throw new Error('no nats-server runs beside this Postgres');
  return { postgres: () => [postgres, ...childrenOf(postgres)], nats: () => [nats] };
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number {
  return Number(statOf(pid).fields[1]);
}

export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

function cpuOf(pid: number): number {
  // Includes the time of exited children: a Postgres backend that exits must not take its share along.
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = statOf(pid).fields.slice(11, 15).map(Number);
  return (user + system + childUser + childSystem) * TICK_MS;
}

/** The name, which may contain spaces and brackets, and the fields after it: state, ppid, … utime and stime. */
function statOf(pid: number): { name: string; fields: string[] } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    return { name: stat.slice(stat.indexOf('(') + 1, end), fields: stat.slice(end + 2).split(' ') };
  } catch {
    return { name: '', fields: [] };
  }
}
