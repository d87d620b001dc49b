import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFaults } from '../workspaces.ts';

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'workspaces-'));
});

afterEach(() => rmSync(base, { recursive: true }));

function write(path: string, content: object): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), JSON.stringify(content));
}

test('a workspace that is not listed or referenced is reported, with the line to add', () => {
  write('package.json', { name: 'house', workspaces: ['packages/*'] });
  write('packages/store/package.json', { name: '@payroll/store', dependencies: { '@payroll/kernel': '0.1.0' } });
  write('packages/store/tsconfig.json', { references: [] });
  write('packages/kernel/package.json', { name: '@payroll/kernel' });
  write('mcp/package.json', { name: '@payroll/mcp' });
  write('package-lock.json', { packages: { 'packages/store': { dependencies: {} } } });

  expect(findFaults(base)).toEqual([
    'package.json: add "mcp" to "workspaces"',
    'mcp: needs a tsconfig.json',
    'packages/kernel: needs a tsconfig.json',
    'packages/store/tsconfig.json: add "exclude": ["**/*.test.ts"]',
    'packages/store/tsconfig.json: refer to packages/kernel, which package.json depends on',
    'package-lock.json: is not what packages/store/package.json says: npm install',
  ]);
});

test('a version range, and two versions of one library, are reported', () => {
  write('package.json', { name: 'house', devDependencies: { tsx: '^4.0.0', pg: '8.0.0' } });
  write('infra/package.json', { name: '@payroll/infra', dependencies: { pg: '8.0.1' } });
  write('package-lock.json', {
    packages: {
      '': { devDependencies: { pg: '8.0.0', tsx: '^4.0.0' } },
      infra: { dependencies: { pg: '8.0.1' } },
    },
  });
  write('infra/tsconfig.json', { exclude: ['**/*.test.ts'] });

  expect(findFaults(base)).toEqual([
    'package.json: add "infra" to "workspaces"',
    '.: tsx is "^4.0.0", not an exact version',
    'infra: pg is 8.0.1, but 8.0.0 in .',
  ]);
});
