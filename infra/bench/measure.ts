import { byName } from '@payroll/kernel';
import { cpuMs, load } from './load.js';
import type { Path } from './paths.js';
import type { Target } from './targets.js';

/** What is shown of a round, in this order, with its column's title and decimals. CPU is by request. */
const FIGURES = {
  cpu: ['CPU-ms/request', 2],
  perSecond: ['requests/s', 0],
  p50: ['p50 ms', 1],
  p99: ['p99 ms', 1],
  cpuWithBackends: ['CPU with Postgres and NATS', 2],
} as const;
type Figure = keyof typeof FIGURES;
const figures = Object.keys(FIGURES) as Figure[];

/** By medians over the rounds. */
export interface Measured extends Record<Figure, number> {
  cpuByProcess: Readonly<Record<string, number>>;
}

/** Target after target in each round, so that what else the machine does falls on both. */
export async function compare(
  path: Path,
  targets: readonly Target[],
  /** `backends`: pids of Postgres and NATS at this moment. */
  { connections, rounds, backends }: { connections: number; rounds: number; backends: () => number[] },
): Promise<Record<Target['name'], Measured>> {
  const count = path.count(connections);
  const run = (target: Target, many: number) =>
    load(target.origin, { connections, count: many, request: (n) => path.request(target, n) });
  const round = async (target: Target): Promise<Measured> => {
    const before = { own: cpuOf(target), backends: cpuMs(backends()) };
    const { seconds, latencies } = await run(target, count);
    const after = cpuOf(target);
    const cpuByProcess = byName(Object.keys(after), (name) => (after[name]! - (before.own[name] ?? 0)) / count);
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
  const seen: Record<Target['name'], Measured[]> = { ours: [], bare: [] };
  for (const target of targets) await run(target, WARM_UP);
  for (let n = 0; n < rounds; n++) {
    for (const target of targets) seen[target.name].push(await round(target));
  }
  return { ours: medianOf(seen.ours), bare: medianOf(seen.bare) };
}

/** Code is compiled and plans are made by then. */
export const WARM_UP = 320;

function cpuOf(target: Target): Record<string, number> {
  return Object.fromEntries(Object.entries(target.processes()).map(([name, pid]) => [name, cpuMs([pid])]));
}

function medianOf(rounds: readonly Measured[]): Measured {
  const of = (value: (round: Measured) => number): number =>
    rounds.map(value).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  return {
    ...byName(figures, (figure) => of((round) => round[figure])),
    cpuByProcess: byName(Object.keys(rounds[0]!.cpuByProcess), (name) => of((round) => round.cpuByProcess[name]!)),
  };
}

/** Processes that used less than this are not named. */
const SHOWN_MS = 0.005;

/** What was measured of one path, as lines for people. */
export function report(title: string, connections: number, { ours, bare }: Record<Target['name'], Measured>): string {
  const row = (name: string, cell: (figure: Figure) => string) => line([name, ...figures.map(cell)]);
  const shown = (of: Measured) => (figure: Figure) => of[figure].toFixed(FIGURES[figure][1]);
  const rows = [
    row('', (figure) => FIGURES[figure][0]),
    row('ours', shown(ours)),
    row('bare', shown(bare)),
    row('ratio', (figure) => `×${(ours[figure] / bare[figure]).toFixed(1)}`),
  ];
  const parts = Object.entries(ours.cpuByProcess)
    .filter(([, ms]) => ms >= SHOWN_MS)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return [`${title}, ${connections} connections`, ...rows, `  of ours: ${parts.join(' · ')}`, ''].join('\n');
}

function line([name = '', ...cells]: readonly string[]): string {
  return `  ${name.padEnd(6)}${cells.map((cell, n) => cell.padStart(n === 4 ? 28 : 16)).join('')}`;
}
