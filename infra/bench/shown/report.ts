import type { Measured } from '../measure.js';
import type { PathFigures } from './figures.js';
import { plain, times, type Table } from './table.js';

/** The columns, with their decimals. */
const COLUMNS = [
  ['cpu', 'CPU-ms/request', 2],
  ['perSecond', 'requests/s', 0],
  ['p50', 'p50 ms', 1],
  ['p99', 'p99 ms', 1],
  ['cpuWithBackends', 'CPU with Postgres and NATS', 2],
] as const;

/** Processes that used less than this are not named. */
const SHOWN_MS = 0.005;

/** One path for a terminal: each contestant, the first against each of the others, and in which processes its CPU went. */
export function report({ title, connections, measured }: PathFigures): string {
  const [first, ...others] = measured as readonly [Measured, ...Measured[]];
  const shown = (one: Measured) => [one.name, ...COLUMNS.map(([figure, , decimals]) => one[figure].toFixed(decimals))];
  const against = (one: Measured) => [
    `÷ ${one.name}`,
    ...COLUMNS.map(([figure]) => times(first[figure] / one[figure])),
  ];
  const parts = Object.entries(first.cpuByProcess)
    .filter(([, ms]) => ms >= SHOWN_MS)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  const table = {
    title: `${title}, ${connections} connections`,
    heads: ['', ...COLUMNS.map(([, head]) => head)],
    rows: [...measured.map(shown), ...others.map(against)],
  };
  return `${plain(table)}  of ${first.name}: ${parts.join(' · ')}\n`;
}

/** All paths: a row for each comparison. */
export function pathsTable(paths: readonly PathFigures[]): Table {
  return {
    title: 'Requests: CPU-ms of the processes of each, requests a second and p50 in ms, ours first',
    heads: ['', 'connections', 'beside', 'CPU-ms', 'ratio', 'a second', 'p50', 'ratio'],
    rows: paths.flatMap(rowsOf),
  };
}

function rowsOf({ title, connections, measured }: PathFigures): string[][] {
  const [first, ...others] = measured as readonly [Measured, ...Measured[]];
  const both = (other: Measured, figure: 'cpu' | 'perSecond' | 'p50', decimals: number): string =>
    `${first[figure].toFixed(decimals)} / ${other[figure].toFixed(decimals)}`;
  return others.map((other) => [
    ...[title, String(connections), other.name],
    ...[both(other, 'cpu', 2), times(first.cpu / other.cpu)],
    both(other, 'perSecond', 0),
    ...[both(other, 'p50', 1), times(first.p50 / other.p50)],
  ]);
}
