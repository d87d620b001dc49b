import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { Reporter } from './reporter.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const inHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const { workspaces } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { workspaces: string[] };
/** Every part except the lab, whose tests run the whole system. */
const parts = `{${workspaces.filter((pattern) => pattern !== 'lab').join()}}`;
const exclude = ['**/{dist,node_modules}/**'];
const seconds = 1000;

/** Many tests wait rather than compute: more workers than cores finish sooner. */
const maxWorkers = Math.max(4, availableParallelism());

/** Polling takes longer on a busy machine than vitest's default allows. */
const patient = { expect: { poll: { timeout: 15 * seconds } } };

/** Apollo's gateways that tests make report nothing either. */
const env = { APOLLO_TELEMETRY_DISABLED: 'true' };

/** Tests import every workspace's sources, never an outdated build. */
const conditions = ['@payroll/source', 'node', 'development|production'];

export const shared = {
  root,
  resolve: {
    conditions,
    // Without this, Node would load graphql's CommonJS and its ES modules side by side: "another module or realm".
    alias: [{ find: /^graphql$/, replacement: inHere('../node_modules/graphql/index.js') }],
  },
  ssr: { resolve: { conditions, externalConditions: ['@payroll/source', 'node', 'module-sync'] } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
} satisfies Partial<TestProjectInlineConfiguration>;

/** With LONG_TESTS=1, tests that take minutes and more run too, or run longer. */
const isLongRun = process.env['LONG_TESTS'] !== undefined;
const provide = { isLongRun };

/** The test files that are longer in a long run: found, so that none is forgotten. */
function longer(...patterns: string[]): string[] {
  const files = globSync(patterns, { cwd: root, exclude: ['**/{dist,node_modules}/**'] });
  return files.filter((file) =>
    /inject\('isLongRun'\)|import .*\blooks\b/.test(readFileSync(`${root}/${file}`, 'utf8')),
  );
}

/** Unit tests, beside the code: nothing outside the process. */
const unit: TestProjectInlineConfiguration = {
  ...shared,
  test: {
    name: 'unit',
    include: [
      `${parts}/{src,islands}/**/*.test.ts`,
      'infra/{docker,monitoring}/*.test.ts',
      'tools/{check/test,demo,operate/**}/*.test.ts',
      'tests/{kubernetes,repository,support/client}/*.test.ts',
      'lab/{bench/*,cluster,evaluation,failover,model,mutation,torture}/*.test.ts',
    ],
    exclude,
    // They share only their imports, which take most of their time.
    isolate: false,
    maxWorkers,
    testTimeout: 60 * seconds,
  },
};

/** Service tests: a part's test folder, against the real Postgres and NATS that `inject('backends')` names. */
const service: TestProjectInlineConfiguration = {
  ...shared,
  test: {
    ...patient,
    name: 'service',
    env,
    provide,
    include: isLongRun
      ? longer(`${parts}/test/**/*.test.ts`, 'tests/people/*.test.ts')
      : [
          `${parts}/test/**/*.test.ts`,
          'infra/{nats,postgres}/**/*.test.ts',
          'tools/local/**/*.test.ts',
          'tests/{commands,people}/**/*.test.ts',
        ],
    exclude,
    globalSetup: [inHere('./global-setup.ts')],
    // A separate process would cost each file about a CPU-second of imports.
    isolate: false,
    maxWorkers,
    testTimeout: 60 * seconds,
    hookTimeout: 60 * seconds,
  },
};

/** The long whole-system runs are not part of `npm test`: they run together in a long run, or by name. */
const LONG = [
  'bench',
  'cells',
  'dead-letters',
  'following',
  'footprint',
  'histories',
  'long-lists',
  'lost-work',
  'nats-cluster',
  'outages',
  'pages',
  'point-in-time',
  'reading',
  'request-ids',
  'rotation',
  'switches',
  'two-facades',
  'year',
];
const left = LONG.filter((name) => !isLongRun && !process.argv.some((argument) => argument.includes(name)));
const filesOf = (names: readonly string[]): string[] =>
  names.map((name) => `{tests/system/*,lab/test}/${name}.test.ts`);

/**
 * The whole system with every process, and `/v1` as its integrators see it. Each worker starts one system for the files
 * that can share one (`joinSystem`), and runs them one after the other, so that they do not disturb each other.
 */
const system: TestProjectInlineConfiguration = {
  ...shared,
  test: {
    ...patient,
    name: 'system',
    env,
    provide,
    include: isLongRun
      ? [...filesOf(LONG), ...longer('tests/system/*/*.test.ts')]
      : ['tests/system/*/*.test.ts', 'tests/{e2e,fuzz}/*.test.ts', 'lab/test/*.test.ts'],
    exclude: [...exclude, ...filesOf(left)],
    isolate: false,
    // The long runs measure, and need the whole machine.
    maxWorkers: isLongRun ? 1 : 2,
    sequence: { groupOrder: 1 },
    // Generous limits that only end hanging tests: starting a process takes ten times as long on a busy machine.
    testTimeout: 180 * seconds,
    hookTimeout: 240 * seconds,
  },
};

/** A report that CI reads. */
const report = process.env['TEST_REPORT'];

export default defineConfig({
  root,
  test: {
    projects: [unit, service, system],
    reporters: [
      new Reporter(left),
      ...(report === undefined ? [] : [['json', { outputFile: report }] satisfies ['json', object]]),
    ],
    slowTestThreshold: 2 * seconds,
  },
});
