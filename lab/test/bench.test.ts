import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pathNames } from '../bench/paths.js';
import type { Figures } from '../bench/report/report.js';
import { repositoryRoot } from '@payroll/infra/processes';
import { secondCheckout } from './second-checkout.js';

const place = mkdtempSync(join(tmpdir(), 'payroll-bench-test-'));
const file = join(place, 'figures.json');
let figures: Figures;

beforeAll(async () => {
  using checkout = secondCheckout();
  const command = ['tools/bin/run.mjs', 'lab/bench/main', '--short', '--json', file, '--beside', checkout.dir];
  await promisify(execFile)(process.execPath, command, { cwd: repositoryRoot });
  figures = JSON.parse(readFileSync(file, 'utf8')) as Figures;
}, 1_200_000);

afterAll(() => rmSync(place, { recursive: true }));

it('measures each path at both numbers of connections, together with a server that gives the same answers', () => {
  const seen = figures.paths.map(({ path, connections }) => [path, connections]);
  expect(seen).toEqual(pathNames.flatMap((path) => [32, 2].map((connections) => [path, connections])));
  for (const { title, measured } of figures.paths) {
    expect(measured.map(({ name }) => name)).toContain('before');
    expect(measured.length, title).toBeGreaterThanOrEqual(3);
    for (const { cpu, p50, perSecond } of measured) expect(Math.min(cpu, p50, perSecond), title).toBeGreaterThan(0);
  }
});

it('measures what no path covers', () => {
  const { replicas: _needsHaproxy, ...tables } = figures.tables;
  expect(Object.keys(tables)).toEqual(['one-workspace', 'events', 'memory', 'pages', 'space', 'growth']);
  const systems = ['ours', 'bare', 'before'];
  expect(tables['one-workspace']?.rows.map(([name]) => name)).toEqual([
    ...systems.map((name) => `${name}, 33 a second`),
    ...systems.map((name) => `${name}, flat out, no limits`),
  ]);
  expect(tables['events']?.rows.map(([name]) => name)).toEqual(['ours']);
  expect(tables['memory']?.heads.at(-1)).toBe('10000');
  expect(tables['growth']?.heads.slice(1, 3)).toEqual(['CPU-ms, 1000', 'CPU-ms, 100000']);
});

it('draws its picture beside the figures', () => {
  expect(existsSync(join(place, 'figures.svg'))).toBe(true);
});
