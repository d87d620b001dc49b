import { cpuMs, load } from './load.js';
import type { Path } from './paths.js';
import type { Target } from './targets.js';

/** One way of answering a path, by medians over the rounds. Times in ms, CPU per request. */
export interface Measured {
  cpu: number;
  /** With what Postgres and NATS used meanwhile. */
  cpuWithBackends: number;
  cpuByProcess: Readonly<Record<string, number>>;
  perSecond: number;
  p50: number;
  p99: number;
}

export interface Comparison {
  connections: number;
  rounds: number;
  /** Pids of Postgres and NATS at this moment. */
  backends: () => number[];
}

/** Target after target in each round, so that what else the machine does falls on both. */
export async function compare(
  path: Path,
  [ours, bare]: readonly [Target, Target],
  { connections, rounds, backends }: Comparison,
): Promise<{ ours: Measured; bare: Measured }> {
  const count = path.count(connections);
  const run = (target: Target, many: number) =>
    load({ origin: target.origin, connections, count: many, request: (n) => path.request(target, n) });
  const round = async (target: Target): Promise<Measured> => {
    const before = { own: cpuOf(target), backends: cpuMs(backends()) };
    const { seconds, latencies } = await run(target, count);
    const cpuByProcess = perRequest(cpuOf(target), before.own, count);
    const cpu = Object.values(cpuByProcess).reduce((sum, each) => sum + each, 0);
    const at = (share: number): number => latencies[Math.floor(latencies.length * share)]!;
    return {
      cpu,
      cpuWithBackends: cpu + (cpuMs(backends()) - before.backends) / count,
      cpuByProcess,
      perSecond: count / seconds,
      p50: at(0.5),
      p99: at(0.99),
    };
  };
  const seen: { ours: Measured[]; bare: Measured[] } = { ours: [], bare: [] };
  for (const target of [ours, bare]) await run(target, WARM_UP);
  for (let n = 0; n < rounds; n++) {
    seen.ours.push(await round(ours));
    seen.bare.push(await round(bare));
  }
  return { ours: medianOf(seen.ours), bare: medianOf(seen.bare) };
}

/** Code is compiled and plans are made by then. */
export const WARM_UP = 320;

function cpuOf(target: Target): Record<string, number> {
  return Object.fromEntries(Object.entries(target.processes()).map(([name, pid]) => [name, cpuMs([pid])]));
}

function perRequest(
  after: Record<string, number>,
  before: Record<string, number>,
  count: number,
): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / count]));
}

function medianOf(rounds: readonly Measured[]): Measured {
  const of = (value: (round: Measured) => number): number =>
    rounds.map(value).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  const names = Object.keys(rounds[0]!.cpuByProcess);
  return {
    cpu: of(({ cpu }) => cpu),
    cpuWithBackends: of(({ cpuWithBackends }) => cpuWithBackends),
    cpuByProcess: Object.fromEntries(names.map((name) => [name, of(({ cpuByProcess }) => cpuByProcess[name]!)])),
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
  };
}

/** Processes that used less than this are not named. */
const SHOWN_MS = 0.005;

/** What was measured of one path, as lines for people. */
export function report(title: string, connections: number, { ours, bare }: { ours: Measured; bare: Measured }): string {
  const ratio = (value: (measured: Measured) => number): string => `×${(value(ours) / value(bare)).toFixed(1)}`;
  const rows = [
    ['', 'CPU-ms/request', 'requests/s', 'p50 ms', 'p99 ms', 'CPU with Postgres and NATS'],
    ['ours', ...figures(ours)],
    ['bare', ...figures(bare)],
    [
      'ratio',
      ratio(({ cpu }) => cpu),
      ratio(({ perSecond }) => perSecond),
      ratio(({ p50 }) => p50),
      ratio(({ p99 }) => p99),
      ratio(({ cpuWithBackends }) => cpuWithBackends),
    ],
  ];
  const parts = Object.entries(ours.cpuByProcess)
    .filter(([, ms]) => ms >= SHOWN_MS)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return [`${title}, ${connections} connections`, ...rows.map(line), `  of ours: ${parts.join(' · ')}`, ''].join('\n');
}

function figures({ cpu, perSecond, p50, p99, cpuWithBackends }: Measured): string[] {
  return [cpu.toFixed(2), perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), cpuWithBackends.toFixed(2)];
}

function line([name = '', ...cells]: readonly string[]): string {
  return `  ${name.padEnd(6)}${cells.map((cell, n) => cell.padStart(n === 4 ? 28 : 16)).join('')}`;
}
