import { byName } from '@payroll/kernel';
import { cpuMs, settled } from './cpu.js';
import { at, load } from './load.js';
import type { Contestant, Path } from './paths.js';

/** What is seen of a round: CPU-ms of the contestant's processes a request, without and with Postgres and NATS; ms. */
interface Round {
  cpu: number;
  cpuWithBackends: number;
  cpuByProcess: Readonly<Record<string, number>>;
  perSecond: number;
  p50: number;
  p99: number;
}

/** By medians over the rounds. */
export interface Measured extends Round {
  name: string;
}

export interface Pace {
  rounds: number;
  connections: number;
  /** Which part of the requests of a full round is sent. */
  share: number;
  /** Pids of Postgres and NATS at this moment. */
  backends: () => number[];
}

/** How many requests each contestant gets: a round that does not count, in which code is compiled and plans are made. */
export function requestsOf(path: Pick<Path, 'count'>, { rounds, connections, share }: Omit<Pace, 'backends'>) {
  const round = Math.ceil(path.count(connections) * share);
  return { round, all: (1 + rounds) * round };
}

/** Contestant after contestant in each round, so that what else the machine does falls on all. */
export async function compare(path: Path, pace: Pace): Promise<Measured[]> {
  const { connections } = pace;
  const { round } = requestsOf(path, pace);
  const seen = path.contestants.map((contestant) => ({ contestant, rounds: [] as Round[] }));
  for (const { origin, request } of path.contestants) await load(origin, { connections, count: round, request });
  for (let n = 0; n < pace.rounds; n++) {
    for (const { contestant, rounds } of seen) rounds.push(await runRound(contestant, round, pace));
  }
  return seen.map(({ contestant, rounds }) => ({ name: contestant.name, ...medianOf(rounds) }));
}

async function runRound({ origin, request, processes }: Contestant, count: number, pace: Pace): Promise<Round> {
  const { connections, backends } = pace;
  const cpuOf = () => Object.fromEntries(Object.entries(processes()).map(([name, pid]) => [name, cpuMs([pid])]));
  const before = { own: cpuOf(), backends: cpuMs(backends()) };
  const { seconds, latencies } = await load(origin, { connections, count, request });
  await settled(() => Object.values(processes()));
  const after = { own: cpuOf(), backends: cpuMs(backends()) };
  const names = Object.keys(after.own);
  const cpuByProcess = byName(names, (name) => (after.own[name]! - (before.own[name] ?? 0)) / count);
  const cpu = Object.values(cpuByProcess).reduce((sum, one) => sum + one, 0);
  return {
    cpu,
    cpuWithBackends: cpu + (after.backends - before.backends) / count,
    cpuByProcess,
    perSecond: count / seconds,
    p50: at(0.5, latencies),
    p99: at(0.99, latencies),
  };
}

function medianOf(rounds: readonly Round[]): Round {
  const of = (value: (round: Round) => number): number =>
    at(
      0.5,
      rounds.map(value).toSorted((a, b) => a - b),
    );
  return {
    ...byName(['cpu', 'cpuWithBackends', 'perSecond', 'p50', 'p99'] as const, (figure) => of((each) => each[figure])),
    cpuByProcess: byName(Object.keys(rounds[0]!.cpuByProcess), (name) => of((each) => each.cpuByProcess[name]!)),
  };
}
