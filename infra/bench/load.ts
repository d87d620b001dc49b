import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { Pool } from 'undici';
import type { Stack } from '../local/assemble-stack.js';

const MOST_ATTEMPTS = 10;
const RETRY_MS = 100;

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Keeps each connection busy until `count` requests are answered. Latencies are in ms, sorted. */
export async function load(
  origin: string,
  { connections, count, request }: { connections: number; count: number; request: (n: number) => Request },
): Promise<{ seconds: number; latencies: number[] }> {
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool(origin, { connections }), (open) => open.close());
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const sentAt = performance.now();
      await answered(pool, request(n));
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { seconds: (performance.now() - startedAt) / 1000, latencies: latencies.toSorted((a, b) => a - b) };
}

/** A 503 is retried with the same key, as integrators do; any other failure ends the bench. */
async function answered(pool: Pool, request: Request): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    if (statusCode < 300) return;
    if (statusCode !== 503 || attempt === MOST_ATTEMPTS) {
      throw new Error(`${request.path} answered ${statusCode}: ${text.slice(0, 200)}`);
    }
    await pause(attempt * RETRY_MS);
  }
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** CPU time that processes have used since they started, in ms; of Linux' /proc. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/** A process and what it started: Postgres works in its children. */
export function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => fieldsOf(Number(entry))[1] === String(pid))
    .map(Number);
  return [pid, ...children];
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

/** A connection of the superuser, closed at the end. */
export async function connect(stack: Stack, cleanup: AsyncDisposableStack): Promise<Client> {
  const url = new URL(stack.database.adminUrl);
  url.pathname = '/payroll';
  const database = cleanup.adopt(new Client(url.href), (open) => open.end());
  await database.connect();
  return database;
}

/** The limits are not what is measured: nobody comes near them. Counters that are in use are passed over. */
export function liftLimits(database: Client, schemas: readonly string[], cleanup: AsyncDisposableStack): void {
  const forget = async (): Promise<void> => {
    for (const schema of schemas) {
      const table = `${schema}.rate_counter`;
      await database.query(
        `update ${table} set used = 0 where subject in (select subject from ${table} for update skip locked)`,
      );
    }
  };
  let forgetting = forget();
  const timer = setInterval(() => {
    forgetting = forgetting.then(forget);
  }, 50);
  cleanup.defer(async () => {
    clearInterval(timer);
    await forgetting;
  });
}
