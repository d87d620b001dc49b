import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { recordOf } from '@payroll/kernel';
import { type Request, quantile } from '@payroll/tools/operate/requests';
import { Pool } from 'undici';
import type { Client } from 'pg';
import type { BenchTarget, Servers } from './requests.js';

/** A server, and the nth request to it. */
export interface Contestant extends BenchTarget {
  request: (n: number) => Request;
}

/** One round: CPU-ms per request of the contestant's processes and of the servers behind them; latencies in ms. */
interface Round {
  cpu: number;
  postgres: number;
  nats: number;
  cpuByProcess: Readonly<Record<string, number>>;
  perSecond: number;
  p50: number;
  p99: number;
  /** Number of 503 answers. */
  unavailable: number;
}

/** Medians over the rounds. */
export interface Measured extends Round {
  name: string;
}

export interface Pace {
  rounds: number;
  connections: number;
  /** The share of a full round's requests that is sent. */
  share: number;
}

/** Runs every contestant in each round, so that other load of the machine falls on all of them. */
export async function compare(contestants: readonly Contestant[], count: number, pace: Pace): Promise<Measured[]> {
  const { connections } = pace;
  const rounds = contestants.map((): Round[] => []);
  // The first round does not count: it compiles code and makes plans.
  for (let n = 0; n <= pace.rounds; n++) {
    for (const [which, contestant] of contestants.entries()) {
      const round = await measure(contestant, { connections, count });
      if (n > 0) rounds[which]!.push(round);
    }
  }
  return contestants.map(({ name }, which) => ({ name, ...medianOf(rounds[which]!) }));
}

export async function measure(contestant: Contestant, how: Omit<Load, 'request'> & { count: number }): Promise<Round> {
  const { origin, request, processes, servers } = contestant;
  const used = () => ({
    own: recordOf(Object.keys(processes()), (name) => cpuMs([processes()[name]!])),
    servers: recordOf(['postgres', 'nats'], (name) => cpuMs(servers[name]())),
  });
  const before = used();
  const { seconds, latencies, unavailable } = await load(origin, { ...how, request });
  await settled(() => Object.values(processes()));
  const after = used();
  const each = (ended: Readonly<Record<string, number>>, begun: Readonly<Record<string, number>>) =>
    recordOf(Object.keys(ended), (name) => (ended[name]! - (begun[name] ?? 0)) / how.count);
  const cpuByProcess = each(after.own, before.own);
  return {
    cpu: Object.values(cpuByProcess).reduce((sum, one) => sum + one, 0),
    ...(each(after.servers, before.servers) as Pick<Round, 'postgres' | 'nats'>),
    ...{ cpuByProcess, perSecond: how.count / seconds, unavailable },
    ...{ p50: quantile(0.5, latencies), p99: quantile(0.99, latencies) },
  };
}

const FIGURES = ['cpu', 'postgres', 'nats', 'perSecond', 'p50', 'p99', 'unavailable'] as const;

function medianOf(rounds: readonly Round[]): Round {
  const of = (value: (round: Round) => number): number => quantile(0.5, rounds.map(value));
  return {
    ...recordOf(FIGURES, (figure) => of((each) => each[figure])),
    cpuByProcess: recordOf(Object.keys(rounds[0]!.cpuByProcess), (name) => of((each) => each.cpuByProcess[name]!)),
  };
}

const MAX_ATTEMPTS = 10;
const RETRY_MS = 100;

export interface Load {
  connections: number;
  /** How many requests, or for how long. */
  count?: number;
  forMs?: number;
  request: (n: number) => Request;
  /**
   * Sent at this rate, independent of the latency; otherwise each connection sends the next request as soon as it has
   * an answer.
   */
  perSecond?: number;
}

export interface Loaded {
  seconds: number;
  /** In ms from the time a request was due. */
  latencies: number[];
  /** Number of 503 answers. */
  unavailable: number;
}

/** Sends requests. One that is answered by 503 is repeated; any other failure, including 429, ends the bench. */
export async function load(origin: string, options: Load): Promise<Loaded> {
  const { connections, count = Infinity, forMs = Infinity, request, perSecond } = options;
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool(origin, { connections }), (open) => open.close());
  const latencies: number[] = [];
  let next = 0;
  let unavailable = 0;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count && performance.now() - startedAt < forMs; n = next++) {
      const now = performance.now();
      const dueAt = perSecond === undefined ? now : startedAt + (n * 1000) / perSecond;
      if (dueAt > now) await pause(dueAt - now);
      unavailable += await answered(pool, request(n));
      latencies.push(performance.now() - dueAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, latencies, unavailable };
}

/**
 * Repeats a request with the same key, as integrators do, until the answer is not 503. @returns the number of 503
 * answers
 */
async function answered(pool: Pool, request: Request): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    const isWrong = text.includes('"errors":[') || text.includes('"isError":true') || text.includes('"error":{');
    if (statusCode < 300 && !isWrong) return attempt;
    const isUnavailable = statusCode === 503 || (statusCode < 300 && text.includes('"SERVICE_UNAVAILABLE"'));
    if (!isUnavailable || attempt + 1 === MAX_ATTEMPTS) {
      throw new Error(`${request.path} answered ${statusCode}: ${text.slice(0, 200)}`);
    }
    await pause((attempt + 1) * RETRY_MS);
  }
}

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
