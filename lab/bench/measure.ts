import { recordOf } from '@payroll/kernel';
import { cpuMs, settled } from './cpu.js';
import type { BenchTarget } from './doors.js';
import { quantile, type Request } from '@payroll/tools/operate/requests';
import { load, type Load } from './load.js';

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

export async function measure(contestant: Contestant, how: Omit<Load, 'request'>): Promise<Round> {
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
