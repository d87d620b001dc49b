import type { Measured } from '../measure.js';
import type { PathFigures } from './figures.js';
import { type Table, plain, times } from '../../table.js';

/** The columns, with their decimals. */
const COLUMNS = [
  ['cpu', 'CPU-ms/request', 2],
  ['postgres', 'of Postgres', 2],
  ['nats', 'of NATS', 2],
  ['perSecond', 'requests/s', 0],
  ['p50', 'p50 ms', 1],
  ['p99', 'p99 ms', 1],
] as const;

/** Processes that used less are not listed. */
const SHOWN_MS = 0.005;

/** One path for a terminal: each contestant, the ratio to the first one, and the CPU by process. */
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
    title:
      'Requests: CPU-ms of the processes of each, of Postgres and of NATS, requests a second, p50 and p99 in ms, ours first',
    heads: ['', 'connections', 'beside', 'CPU-ms', 'ratio', 'Postgres', 'NATS', 'a second', 'p50', 'ratio', 'p99'],
    rows: paths.flatMap(rowsOf),
  };
}

function rowsOf({ title, connections, measured }: PathFigures): string[][] {
  const [first, ...others] = measured as readonly [Measured, ...Measured[]];
  return others.map((other) => {
    const both = (figure: (typeof COLUMNS)[number][0], decimals: number): string =>
      `${first[figure].toFixed(decimals)} / ${other[figure].toFixed(decimals)}`;
    return [
      ...[title, String(connections), other.name],
      ...[both('cpu', 2), times(first.cpu / other.cpu), both('postgres', 2), both('nats', 2)],
      ...[both('perSecond', 0), both('p50', 1), times(first.p50 / other.p50), both('p99', 1)],
    ];
  });
}
