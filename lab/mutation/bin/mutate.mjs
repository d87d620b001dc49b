// `npm run mutate`: changes the code in a copy, one mutation at a time, and checks whether a test fails.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installIfNeeded } from '../../../tools/bin/install.mjs';
import { prepare } from '../../../tools/bin/prepare.mjs';
import { scoreOf, survivorsOf } from '../score.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const domainOf = (service) => ({
  mutate: [`services/${service}/src/domain/**/*.ts`],
  tests: [`services/${service}/src/**/*.test.ts`, `services/${service}/test/**/*.test.ts`],
});

const packageOf = (name, tests = [`packages/${name}/src/**/*.test.ts`, `packages/${name}/test/**/*.test.ts`]) => ({
  mutate: [`packages/${name}/src/**/*.ts`],
  tests,
});

/** The code that is mutated, with the tests that have to detect it. */
const groups = {
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

const help = `npm run mutate [-- --files <pattern> --tests <pattern> --unit] [group ...]

Changes what decides about money in a copy of the last commit, one condition, operator or block at a time (Stryker), and runs the
tests that come by there. A change that no test notices survives. Prints the score and every survivor; an hour or more for all.

  --files <pattern>  only these of a group's files, such as 'services/payments/src/domain/payout.ts'; also places in them, such as
                     'packages/store/src/sql/lists.ts:40:2-40:30'; can be given again
  --tests <pattern>  by these tests alone, such as those that take least: what survives them is then shown to all
  --unit             by the unit tests alone: minutes instead of hours
  --help             this

Groups: ${Object.keys(groups).join(', ')}
`;

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      files: { type: 'string', multiple: true },
      tests: { type: 'string' },
      unit: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(groups, name));
  if (unknown !== undefined) throw new Error(`there is no group "${unknown}"; try --help`);
  return { ...values, names: positionals.length > 0 ? positionals : Object.keys(groups) };
}

/** Links the files, not the folders: their links to sibling packages have to point into the copy. */
function copyOfLastCommit() {
  const copy = mkdtempSync(join(tmpdir(), 'payroll-mutation-'));
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', copy, 'HEAD'], { cwd: root });
  const workspaces = ['packages', 'services'].flatMap((dir) =>
    readdirSync(join(root, dir)).map((name) => join(dir, name)),
  );
  for (const folder of ['.', 'infra', 'tools', 'tests', 'lab', 'lab/mutation', ...workspaces]) {
    const modules = join(folder, 'node_modules');
    if (!existsSync(join(root, modules))) continue;
    execFileSync('cp', ['-al', join(root, modules), join(copy, modules)]);
  }
  // Postgres and NATS of the tests are started by what is built; the tests themselves run on the sources.
  execFileSync(process.execPath, ['tools/bin/build.mjs'], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return copy;
}

function removeCopy(copy) {
  execFileSync('git', ['worktree', 'remove', '--force', copy], { cwd: root });
  rmSync(copy, { recursive: true, force: true });
}

function settings({ mutate }, files) {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'lab/mutation/vitest.config.ts', related: false },
    mutate: [...(files ?? mutate), '!**/*.test.ts', '!**/migrations/**'],
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
  };
}

/** Unit tests are next to the code they test. */
const testsOf = ({ tests: all }, { tests, unit }) =>
  tests === undefined ? all.filter((pattern) => !unit || !pattern.includes('/test/')) : [tests];

async function mutate(copy, name, options) {
  writeFileSync(join(copy, 'stryker.json'), JSON.stringify(settings(groups[name], options.files)));
  const stryker = join(copy, 'lab/mutation/node_modules/@stryker-mutator/core/bin/stryker.js');
  const env = { ...process.env, MUTATION_TESTS: testsOf(groups[name], options).join(' ') };
  const child = spawn(join(copy, 'node_modules/.bin/node'), [stryker, 'run', 'stryker.json'], {
    cwd: copy,
    env,
    stdio: 'inherit',
    detached: true,
  });
  // On an interruption, stop what runs in the copy and remove it.
  const stop = (signal) => child.pid !== undefined && process.kill(-child.pid, signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`Stryker ended with exit code ${code}`);
  const report = JSON.parse(readFileSync(join(copy, 'mutation.json'), 'utf8'));
  const kept = join(root, '.local', 'mutation');
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, `${name}.json`), JSON.stringify(report));
  return report;
}

async function main() {
  const { names, ...options } = readOptions();
  if (options.help) return void process.stdout.write(help);
  await prepare(root, { isVerbose: false });
  await installIfNeeded(join(root, 'lab/mutation'), { isVerbose: false });
  const copy = copyOfLastCommit();
  try {
    const scores = [];
    for (const name of names) {
      const report = await mutate(copy, name, options);
      for (const survivor of survivorsOf(report)) console.log(survivor);
      scores.push({ group: name, ...scoreOf(report) });
    }
    console.table(scores);
  } finally {
    removeCopy(copy);
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`npm run mutate: ${error.message}\n`);
  process.exitCode = 1;
}
