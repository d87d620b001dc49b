import type { Profiler } from 'node:inspector';
import type { Table } from '../../table.js';

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

/** By file: functions, as the ranges of characters by which V8 names them. */
export type Functions = ReadonlyMap<string, ReadonlySet<string>>;

/** The entered functions. The code of a module itself, which begins at 0 and runs at the start, is not one of them. */
export function enteredOf(scripts: readonly Profiler.ScriptCoverage[]): Functions {
  return functionsOf(scripts, ({ startOffset, count }) => count > 0 && startOffset > 0);
}

/**
 * All functions that V8 reports: inner functions that were not entered have to be subtracted from the entered ones
 * around them.
 */
export function seenOf(scripts: readonly Profiler.ScriptCoverage[]): Functions {
  return functionsOf(scripts, () => true);
}

function functionsOf(
  scripts: readonly Profiler.ScriptCoverage[],
  isWanted: (range: Profiler.CoverageRange) => boolean,
): Functions {
  const files = scripts.map(({ url, functions }) => {
    const ranges = functions.map(({ ranges: [range] }) => range!).filter(isWanted);
    return [url, new Set(ranges.map(({ startOffset, endOffset }) => `${startOffset}-${endOffset}`))] as const;
  });
  return new Map(files.filter(([, found]) => found.size > 0));
}

/** Functions entered in every repetition. This excludes a timer that fires during one of them. */
export function common([first, ...others]: readonly Functions[]): Functions {
  const kept = [...first!].map(([url, found]) => {
    return [url, new Set([...found].filter((each) => others.every((other) => other.get(url)?.has(each))))] as const;
  });
  return new Map(kept.filter(([, found]) => found.size > 0));
}

export function union(all: readonly Functions[]): Functions {
  const files = new Map<string, ReadonlySet<string>>();
  for (const [url, found] of all.flatMap((each) => [...each])) {
    files.set(url, new Set([...(files.get(url) ?? []), ...found]));
  }
  return files;
}

/** Lines of a file with code of entered functions, without inner functions that were not entered. */
export function linesOf(text: string, entered: ReadonlySet<string>, seen: ReadonlySet<string>): number {
  const ran = new Uint8Array(text.length);
  const ranges = [...new Set([...seen, ...entered])].map((each) => {
    const [start = 0, end = 0] = each.split('-').map(Number);
    return { start, end, value: entered.has(each) ? 1 : 0 };
  });
  // The outer ones first: an inner one overrides them.
  for (const { start, end, value } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    ran.fill(value, start, end);
  }
  const ends = [...text.matchAll(/.*\n?/g)].filter(({ 0: line }) => !/^\s*(?:\/\/|\/?\*|$)/.test(line));
  return ends.filter(({ 0: line, index }) => {
    const from = index + line.search(/\S/);
    return ran.subarray(from, index + line.trimEnd().length).includes(1);
  }).length;
}
