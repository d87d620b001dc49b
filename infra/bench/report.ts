import type { Measured } from './measure.js';

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
