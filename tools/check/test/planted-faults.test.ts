import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../repository.ts';

const layers = join(root, 'tools/check/layers.cjs');
const { forbidden } = createRequire(import.meta.url)(layers) as { forbidden: { name: string }[] };
/** One rule for each part, named after the part and its allowed imports. */
const rules = forbidden.map(({ name }) => name).filter((name) => name.includes(' imports '));

/** A copy of this repository's layout, with one fault in each file that is named after it; the others are correct. */
let house: string;
let parts: string[];

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'planted-faults-'));
  cpSync(join(root, 'tools/check/test/house'), house, { recursive: true });
  for (const config of ['.oxlintrc.json', 'tsconfig.base.json']) cpSync(join(root, config), join(house, config));
  const compilerOptions = { customConditions: ['@payroll/source'] };
  writeFileSync(join(house, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', compilerOptions }));
  mkdirSync(join(house, 'node_modules/@payroll'), { recursive: true });
  for (const name of ['@types', 'pg', '@nats-io'])
    symlinkSync(join(root, 'node_modules', name), join(house, 'node_modules', name));
  for (const rule of rules) plant(folderOf(rule));
  parts = readdirSync(house).filter(
    (name) => existsSync(join(root, name)) && !name.includes('.') && name !== 'node_modules',
  );
});

afterAll(() => rmSync(house, { recursive: true }));

function folderOf(rule: string): string {
  const [part = ''] = rule.split(' ');
  return existsSync(join(root, part)) ? part : `packages/${part}`;
}

/** In `tests`, only support and judges contain no tests. */
const sourcesOf = (folder: string): string => join(folder, folder === 'tests' ? 'support' : 'src');

/** Gives a part a file with a forbidden type import, and the package.json by which others import it. */
function plant(folder: string): void {
  const stranger = folder === 'lab' ? 'payments' : 'lab';
  const src = join(house, sourcesOf(folder));
  mkdirSync(src, { recursive: true });
  writeFileSync(join(src, 'planted.ts'), `export type { Stranger } from '@payroll/${stranger}';\n`);
  if (!existsSync(join(src, 'index.ts'))) writeFileSync(join(src, 'index.ts'), 'export type Stranger = string;\n');
  const name = `@payroll/${basename(folder)}`;
  const exports = { '.': { '@payroll/source': `./${basename(src)}/index.ts` } };
  writeFileSync(join(house, folder, 'package.json'), JSON.stringify({ name, type: 'module', exports }));
  symlinkSync(join(house, folder), join(house, 'node_modules', name));
}

function run(tool: string, ...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(join(root, 'node_modules/.bin', tool), args, { cwd: house, encoding: 'utf8' });
}

/** Sorted lines `file: rule`, each once. */
const lines = (faults: readonly { file: string; rule: string }[]): string[] =>
  [...new Set(faults.map(({ file, rule }) => `${file}: ${rule}`))].toSorted();

describe('layers', () => {
  interface Report {
    summary: { violations: { from: string; rule: { name: string } }[] };
  }

  test('catches exactly the planted imports', () => {
    const { stdout } = run('depcruise', '--config', layers, '--output-type', 'json', ...parts);
    const { summary } = JSON.parse(stdout) as Report;
    expect(lines(summary.violations.map(({ from, rule }) => ({ file: from, rule: rule.name })))).toEqual(
      [
        ...rules.map((rule) => `${sourcesOf(folderOf(rule))}/planted.ts: ${rule}`),
        ...rules
          .filter((rule) => !rule.startsWith('lab '))
          .map((rule) => `${sourcesOf(folderOf(rule))}/planted.ts: nobody-imports-the-lab`),
        'gateway/src/speaks-nats.ts: edges-speak-http',
        'mcp/src/reaches-store.ts: mcp-reaches-only-v1',
        'packages/kernel/src/does-io.ts: kernel-is-pure',
        'packages/pages/islands/imports-node.ts: islands-run-in-browsers',
        'packages/runtime/src/index.ts: runtime imports kernel',
        'packages/sdk/src/imports-node.ts: sdk-stands-alone',
        'packages/sdk/src/planted.ts: sdk-stands-alone',
        'services/contracts/src/cycle-one.ts: no-cycles',
        'services/contracts/src/imports-by-path.ts: parts-meet-at-their-index',
        'services/contracts/src/imports-by-path.ts: parts-meet-by-name',
        'services/contracts/src/imports-hidden-file.ts: no-missing-modules',
        'services/contracts/src/imports-test.ts: no-tests-in-programs',
        'services/contracts/src/type-cycle-one.ts: no-cycles',
        'services/review/src/domain/knows-row.ts: domain-knows-no-store',
        'services/review/src/domain/reads-file.ts: domain-is-pure',
        'services/review/src/domain/reads-store.ts: domain-is-pure',
      ].toSorted(),
    );
  });

  test('fails if an import is caught', () => {
    expect(run('depcruise', '--config', layers, ...parts).status).toBeGreaterThan(0);
  });
});

describe('lint', () => {
  interface Report {
    diagnostics: { filename: string; code: string }[];
  }

  test('catches exactly the planted mistakes', () => {
    const { status, stdout } = run('oxlint', '--type-aware', '--format', 'json', ...parts);
    const { diagnostics } = JSON.parse(stdout) as Report;
    expect(lines(diagnostics.map(({ filename, code }) => ({ file: filename, rule: code })))).toEqual([
      'services/contracts/src/careless.ts: eslint(no-console)',
      'services/contracts/src/careless.ts: typescript(no-explicit-any)',
      'services/contracts/src/careless.ts: typescript(no-floating-promises)',
      'services/review/src/domain/reads-clock.ts: eslint(no-restricted-globals)',
      'services/review/src/domain/reads-clock.ts: eslint(no-restricted-imports)',
      'services/review/src/imports-environment.ts: eslint(no-restricted-imports)',
      'services/review/src/reads-environment.ts: node(no-process-env)',
    ]);
    expect(status).toBe(1);
  });
});

describe('types', () => {
  /** Every file that switches over the kinds of actors, ending with a refusal of unlisted kinds. */
  const asking = globSync('{packages,services}/*/src/**/*.ts', { cwd: root }).filter((file) =>
    /\brefuseUnlisted\(/.test(readFileSync(join(root, file), 'utf8')),
  );

  test('a new kind of actor does not compile in any file that switches over kinds', () => {
    const kernel = join(house, 'kernel');
    cpSync(join(root, 'packages/kernel'), kernel, { recursive: true, filter: (file) => !file.endsWith('/dist') });
    const actor = join(kernel, 'src/actor.ts');
    const planted = readFileSync(actor, 'utf8').replace("{ kind: 'api_key' |", "{ kind: 'planted' | 'api_key' |");
    expect(planted).toContain('planted');
    writeFileSync(actor, planted);
    const compilerOptions = {
      ...{ noEmit: true, composite: false, incremental: false, types: ['node'] },
      typeRoots: [join(root, 'node_modules/@types')],
      customConditions: ['@payroll/source'],
      paths: { '@payroll/kernel': [join(kernel, 'src/index.ts')] },
    };
    const files = asking.map((file) => (file.startsWith('packages/kernel/') ? actor : join(root, file)));
    const config = join(kernel, 'tsconfig.planted.json');
    writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files }));
    const { stdout } = run('tsc', '--project', config, '--pretty', 'false');
    const refused = asking.filter((file) => new RegExp(`${basename(file)}\\(.*never`).test(stdout));
    expect(asking.length).toBeGreaterThan(3);
    expect(refused).toEqual(asking);
  }, 60_000);
});
