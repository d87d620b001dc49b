import type { Table } from '../shown/table.js';

/** Files, functions and lines that one request executed. */
export interface Footprint {
  name: string;
  functions: number;
  lines: number;
  /** Lines of each file; a line that several processes have entered counts once. */
  files: Readonly<Record<string, number>>;
  linesByProcess: Readonly<Record<string, number>>;
}

export function footprintTable(footprints: readonly Footprint[]): Table {
  return {
    title: 'What runs for one request: our own code in all processes, of the JavaScript that tsc writes',
    heads: ['', 'files', 'functions', 'lines', 'lines by process'],
    rows: footprints.map(({ name, files, functions, lines, linesByProcess }) => [
      ...[name, Object.keys(files).length, functions, lines].map(String),
      Object.entries(linesByProcess)
        .map(([process, each]) => `${process} ${each}`)
        .join(', '),
    ]),
  };
}
