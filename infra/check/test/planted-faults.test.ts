import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../repository.ts';

const parts = ['packages', 'services', 'gateway', 'mcp', 'infra'];

/** A house like this one with one fault in each file that is named for it; the others are well. */
let house: string;

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'planted-faults-'));
  cpSync(join(root, 'infra/check/test/house'), house, { recursive: true });
  for (const config of ['.oxlintrc.json', 'tsconfig.base.json']) cpSync(join(root, config), join(house, config));
  const compilerOptions = { customConditions: ['@payroll/source'] };
  writeFileSync(join(house, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', compilerOptions }));
  mkdirSync(join(house, 'node_modules/@payroll'), { recursive: true });
  symlinkSync(join(root, 'node_modules/@types'), join(house, 'node_modules/@types'));
  for (const manifest of globSync('{{packages,services}/*,gateway,mcp,infra}/package.json', { cwd: house })) {
    const { name } = JSON.parse(readFileSync(join(house, manifest), 'utf8')) as { name: string };
    symlinkSync(join(house, dirname(manifest)), join(house, 'node_modules', name));
  }
});

afterAll(() => rmSync(house, { recursive: true }));

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

  test('every planted import is caught, and nothing else', () => {
    const config = join(root, '.dependency-cruiser.cjs');
    const { stdout } = run('depcruise', '--config', config, '--output-type', 'json', ...parts);
    const { summary } = JSON.parse(stdout) as Report;
    expect(lines(summary.violations.map(({ from, rule }) => ({ file: from, rule: rule.name })))).toEqual([
      'gateway/src/imports-service.ts: edges-import-no-service',
      'infra/local/imports-gateway.ts: gateway-is-for-facade-and-console',
      'infra/local/imports-gateway.ts: infra-starts-processes-by-command',
      'mcp/src/imports-service.ts: mcp-reaches-only-v1',
      'mcp/src/reaches-store.ts: mcp-reaches-only-v1',
      'packages/process/src/imports-service.ts: packages-know-no-process',
      'services/contracts/src/cycle-one.ts: no-cycles',
      'services/contracts/src/imports-by-path.ts: parts-meet-at-their-index',
      'services/contracts/src/imports-by-path.ts: parts-meet-by-name',
      'services/contracts/src/imports-hidden-file.ts: no-missing-modules',
      'services/contracts/src/imports-service.ts: services-never-import-each-other',
      'services/contracts/src/imports-type-of-service.ts: services-never-import-each-other',
      'services/contracts/src/type-cycle-one.ts: no-cycles',
      'services/review/src/domain/knows-row.ts: domain-knows-no-store',
      'services/review/src/domain/reads-file.ts: domain-is-pure',
      'services/review/src/domain/reads-store.ts: domain-is-pure',
      'services/review/src/imports-gateway.ts: gateway-is-for-facade-and-console',
      'services/review/src/imports-gateway.ts: services-know-no-edge',
    ]);
  });

  test('a caught import ends with a failure', () => {
    expect(run('depcruise', '--config', join(root, '.dependency-cruiser.cjs'), ...parts).status).toBeGreaterThan(0);
  });
});

describe('lint', () => {
  interface Report {
    diagnostics: { filename: string; code: string }[];
  }

  test('every planted carelessness is caught, and nothing else', () => {
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
  /** Every file that asks what kind of actor somebody is: by a switch whose end refuses what is not listed. */
  const asking = globSync('{packages,services}/*/src/**/*.ts', { cwd: root }).filter((file) =>
    /\brefuseUnlisted\(/.test(readFileSync(join(root, file), 'utf8')),
  );

  test('another kind of actor does not compile, in each file that asks for the kind', () => {
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
