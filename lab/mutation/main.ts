import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '@payroll/infra/processes';
import { runCommand } from '@payroll/tools/cli';
import { buildCopy } from '../torture/system/other-build.js';
import { type Report, scoreOf, survivorsOf } from './score.js';

interface Group {
  mutate: readonly string[];
  tests: readonly string[];
}

const domainOf = (service: string): Group => ({
  mutate: [`services/${service}/src/domain/**/*.ts`],
  tests: [`services/${service}/src/**/*.test.ts`, `services/${service}/test/**/*.test.ts`],
});

const packageOf = (
  name: string,
  tests = ['src', 'test'].map((dir) => `packages/${name}/${dir}/**/*.test.ts`),
): Group => ({
  mutate: [`packages/${name}/src/**/*.ts`],
  tests,
});

/** The code that is mutated, with the tests that have to detect it. */
const GROUPS: Readonly<Record<string, Group>> = {
  kernel: packageOf('kernel'),
  workspaces: domainOf('workspaces'),
  contracts: domainOf('contracts'),
  review: domainOf('review'),
  payments: domainOf('payments'),
  store: packageOf('store'),
  admission: packageOf('admission', ['packages/admission/src/**/*.test.ts', 'services/workspaces/test/**/*.test.ts']),
  idempotency: {
    mutate: ['rest-facade/src/idempotency.ts'],
    tests: ['rest-facade/src/**/*.test.ts', 'rest-facade/test/**/*.test.ts'],
  },
};

const USAGE = `npm run mutate [-- --files <pattern> --tests <pattern> --unit] [group ...]

Changes what decides about money in a copy of the last commit, one condition, operator or block at a time (Stryker), and runs the
tests that come by there. A change that no test notices survives. Prints the score and every survivor; an hour or more for all.

  --files <pattern>  only these of a group's files, such as 'services/payments/src/domain/payout.ts'; also places in them, such as
                     'packages/store/src/sql/lists.ts:40:2-40:30'; can be given again
  --tests <pattern>  by these tests alone, such as those that take least: what survives them is then shown to all
  --unit             by the unit tests alone: minutes instead of hours
  --help             this

Groups: ${Object.keys(GROUPS).join(', ')}
`;

type Options = ReturnType<typeof readOptions>;

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      files: { type: 'string', multiple: true },
      tests: { type: 'string' },
      unit: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(GROUPS, name));
  if (unknown !== undefined) throw new Error(`there is no group "${unknown}"; try --help`);
  return { ...values, names: positionals.length > 0 ? positionals : Object.keys(GROUPS) };
}

const FOLDER = join(repositoryRoot, 'lab/mutation');

/** Stryker has a lockfile of its own. */
function installStryker(): void {
  const installed = join(FOLDER, 'node_modules/.package-lock.json');
  const wanted = statSync(join(FOLDER, 'package-lock.json')).mtimeMs;
  if (existsSync(installed) && statSync(installed).mtimeMs > wanted) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' });
}

const settings = (mutate: readonly string[]): object => ({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'lab/mutation/vitest.config.ts', related: false },
  mutate: [...mutate, '!**/*.test.ts', '!**/migrations/**'],
  // Texts for people, and names that the compiler checks.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Values created when a module is loaded cannot be mutated while the tests run.
  ignoreStatic: true,
  // The workspaces are linked, so Stryker's own copy of the files would not be run. This is a copy already.
  inPlace: true,
  concurrency: 1,
  timeoutMS: 2_000,
  timeoutFactor: 1.2,
  allowEmpty: true,
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: 'mutation.json' },
});

async function mutate(copy: string, name: string, { files, tests, unit }: Options): Promise<Report> {
  const group = GROUPS[name]!;
  writeFileSync(join(copy, 'stryker.json'), JSON.stringify(settings(files ?? group.mutate)));
  const stryker = join(copy, 'lab/mutation/node_modules/@stryker-mutator/core/bin/stryker.js');
  // Unit tests are next to the code they test.
  const chosen = tests === undefined ? group.tests.filter((each) => !unit || !each.includes('/test/')) : [tests];
  const child = spawn(process.execPath, [stryker, 'run', 'stryker.json'], {
    cwd: copy,
    env: { ...process.env, MUTATION_TESTS: chosen.join(' ') },
    stdio: 'inherit',
    detached: true,
  });
  // On an interruption, stop what runs in the copy and remove it.
  const stop = (signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`Stryker ended with exit code ${String(code)}`);
  const report = readFileSync(join(copy, 'mutation.json'), 'utf8');
  const kept = join(repositoryRoot, '.local', 'mutation');
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, `${name}.json`), report);
  return JSON.parse(report) as Report;
}

async function main(options: Options): Promise<void> {
  installStryker();
  await using cleanup = new AsyncDisposableStack();
  const copy = await buildCopy(cleanup);
  const scores: object[] = [];
  for (const name of options.names) {
    const report = await mutate(copy, name, options);
    for (const survivor of survivorsOf(report)) console.log(survivor);
    scores.push({ group: name, ...scoreOf(report) });
  }
  console.table(scores);
}

await runCommand('mutate', { usage: USAGE, read: readOptions, run: main });
