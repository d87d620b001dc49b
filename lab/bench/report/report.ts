import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { markdown, type Table, times, writeInto } from '../../table.js';
import type { Measured } from '../measure.js';
import type { PathName } from '../paths.js';
import { pictureOf } from './picture.js';

/** The measurements of a run: the file of `--json`. CPU in ms per request, latencies in ms. */
export interface Figures {
  measuredAt: string;
  machine: { cores: number; cpu: string; node: string };
  /** A short run sends a part of the requests, to check that everything works. */
  isShort: boolean;
  rounds: number;
  paths: readonly PathFigures[];
  /** Measurements beside the paths, by name. */
  tables: Readonly<Partial<Record<string, Table>>>;
}

export interface PathFigures {
  path: PathName;
  title: string;
  connections: number;
  /** The first is compared with each of the others. */
  measured: readonly Measured[];
}

export function thisMachine(): Figures['machine'] {
  const [first] = cpus();
  return { cores: cpus().length, cpu: first?.model ?? '', node: process.version };
}

/** A row for each comparison. */
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
    const both = (figure: 'cpu' | 'postgres' | 'nats' | 'perSecond' | 'p50' | 'p99', decimals: number): string =>
      `${first[figure].toFixed(decimals)} / ${other[figure].toFixed(decimals)}`;
    return [
      ...[title, String(connections), other.name],
      ...[both('cpu', 2), times(first.cpu / other.cpu), both('postgres', 2), both('nats', 2)],
      ...[both('perSecond', 0), both('p50', 1), times(first.p50 / other.p50), both('p99', 1)],
    ];
  });
}

/** Processes that used less are not listed. */
const SHOWN_MS = 0.005;

/** The CPU of a request by process. */
export function partsOf({ measured: [first] }: PathFigures): string {
  const parts = Object.entries(first!.cpuByProcess)
    .filter(([, ms]) => ms >= SHOWN_MS)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return `  of ${first!.name}: ${parts.join(' · ')}\n`;
}

/** All measurements as Markdown. */
export function tablesOf({ measuredAt, machine, rounds, isShort, paths, tables }: Figures): string {
  const run = `Measured on ${measuredAt.slice(0, 10)}, ${machine.cores} cores (${machine.cpu}), Node ${machine.node}, medians of ${rounds}${isShort ? ', a short run' : ''}.`;
  const rest = Object.values(tables).filter((table) => table !== undefined);
  const all = paths.length > 0 ? [pathsTable(paths), ...rest] : rest;
  return [`${run}\n`, ...all.map(markdown)].join('\n');
}

/** Writes the figures, their picture beside them, and their tables into the document beside them if there is one. */
export async function writeFigures(file: string, figures: Figures): Promise<string[]> {
  const beside = (ending: string): string => file.replace(/\.json$/, ending);
  // Four digits of each figure: more would be noise.
  const rounded = (_name: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  const text = JSON.stringify(figures, rounded, 2);
  const kept = JSON.parse(text) as Figures;
  await writeFile(file, `${text}\n`);
  await writeFile(beside('.svg'), pictureOf(kept.paths));
  const written = [file, beside('.svg')];
  return (await writeInto(beside('.md'), 'figures', tablesOf(kept))) ? [...written, beside('.md')] : written;
}
