import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import type { Footprint } from '../bench/footprint/footprint.js';
import { repositoryRoot } from '@payroll/infra/processes';
import { secondCheckout } from './second-checkout.js';

const place = mkdtempSync(join(tmpdir(), 'payroll-footprint-test-'));
afterAll(() => rmSync(place, { recursive: true }));

async function footprints(...options: string[]): Promise<Footprint[]> {
  const file = join(place, 'footprint.json');
  const command = ['tools/bin/run.mjs', 'lab/bench/footprint/main', '--json', file, ...options];
  await promisify(execFile)(process.execPath, command, { cwd: repositoryRoot });
  return JSON.parse(readFileSync(file, 'utf8')) as Footprint[];
}

it('counts the code of our own files that each kind of request runs', async () => {
  const counted = await footprints();
  const [approval, list, one, event, tool, page, nothing] = counted as [Footprint, ...Footprint[]];
  expect(counted).toHaveLength(7);
  for (const each of [list, one, tool, page]) {
    expect(each!.lines, each!.name).toBeGreaterThan(nothing!.lines);
    expect(each!.lines, each!.name).toBeLessThan(approval.lines);
  }
  expect(Object.keys(event!.linesByProcess)).toEqual(['review', 'payments']);
  expect(tool!.linesByProcess['mcp']).toBeGreaterThan(0);
  expect(page!.linesByProcess['console']).toBeGreaterThan(0);
  const files = Object.keys(approval.files);
  expect(files.filter((file) => file.includes('node_modules') || !existsSync(join(repositoryRoot, file)))).toEqual([]);
}, 600_000);

it('counts another checkout and leaves no data in it', async () => {
  using checkout = secondCheckout();
  const [approval] = await footprints('--of', checkout.dir);
  expect(approval!.linesByProcess['payments']).toBeGreaterThan(0);
  expect(existsSync(join(checkout.dir, '.local'))).toBe(false);
}, 600_000);
