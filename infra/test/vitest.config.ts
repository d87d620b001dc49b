import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const workspaces = '{packages,services}/*';
const processes = '{gateway,rest-facade,mcp,console,sandbox-provider}';
const exclude = ['**/{dist,node_modules}/**'];
const seconds = 1000;

/** What a test waits for comes at once on an idle machine, and late on a busy one. */
const patient = { expect: { poll: { timeout: 15 * seconds } } };

/** Tests run on the sources of every workspace: none looks at what an older build left. */
const conditions = ['@payroll/source', 'node', 'development|production'];

export const shared = {
  root,
  resolve: {
    conditions,
    // Node would load graphql's CommonJS and its ES modules side by side: "another module or realm".
    alias: [{ find: /^graphql$/, replacement: inHere('../../node_modules/graphql/index.js') }],
  },
  ssr: { resolve: { conditions, externalConditions: ['@payroll/source', 'node', 'module-sync'] } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
} satisfies Partial<TestProjectInlineConfiguration>;

/** Decisions: beside the code they test, nothing outside the process. */
const unit: TestProjectInlineConfiguration = {
  ...shared,
  test: {
    name: 'unit',
    include: [
      `${workspaces}/{src,islands}/**/*.test.ts`,
      `${processes}/src/**/*.test.ts`,
      'infra/{check/test,docker,model,sight,test,test/client,test/mutation}/*.test.ts',
    ],
    exclude,
    // They share nothing but what they import, which takes most of their time.
    isolate: false,
    testTimeout: 20 * seconds,
  },
};

/** I/O: a workspace's test folder and the parts of infra, against a real Postgres and a real NATS that `inject('backends')` names. */
const service: TestProjectInlineConfiguration = {
  ...shared,
  test: {
    ...patient,
    name: 'service',
    include: [
      `${workspaces}/test/**/*.test.ts`,
      `${processes}/test/**/*.test.ts`,
      'infra/{local,nats,postgres,test/commands}/**/*.test.ts',
    ],
    exclude,
    globalSetup: [inHere('./global-setup.ts')],
    testTimeout: 60 * seconds,
    hookTimeout: 60 * seconds,
  },
};

/** The long ones among the whole-system runs are no part of `npm test`: they run together with LONG_TESTS=1, or by name. */
const LONG = [
  'bench',
  'dead-letters',
  'following',
  'footprint',
  'long-lists',
  'nats-cluster',
  'outages',
  'pages',
  'point-in-time',
  'reading',
  'request-ids',
  'switches',
  'two-facades',
  'year',
];
const isLongRun = process.env['LONG_TESTS'] !== undefined;
const left = LONG.filter((name) => !isLongRun && !process.argv.some((argument) => argument.includes(name)));
const filesOf = (names: readonly string[]): string[] => names.map((name) => `infra/test/system/*/${name}.test.ts`);

/** Whole-system runs, one after the other in one worker: those that can share a system (`joinSystem`). */
const system: TestProjectInlineConfiguration = {
  ...shared,
  test: {
    ...patient,
    name: 'system',
    include: isLongRun ? filesOf(LONG) : ['infra/test/system/*/*.test.ts'],
    exclude: [...exclude, ...filesOf(left)],
    fileParallelism: false,
    isolate: false,
    sequence: { groupOrder: 1 },
    testTimeout: 60 * seconds,
    hookTimeout: 120 * seconds,
  },
};

/** `/v1` as its integrators have it, against one running system: `infra/test/e2e/global-setup.ts` says which. */
const endToEnd: TestProjectInlineConfiguration = {
  ...shared,
  test: {
    ...patient,
    name: 'e2e',
    include: ['infra/test/{e2e,fuzz}/*.test.ts'],
    exclude,
    globalSetup: [inHere('./e2e/global-setup.ts')],
    fileParallelism: false,
    sequence: { groupOrder: 2 },
    testTimeout: 60 * seconds,
    hookTimeout: 120 * seconds,
  },
};

export default defineConfig({
  root,
  test: { maxWorkers: 2, projects: [unit, service, system, endToEnd] },
});
