/**
 * Prints how many files of the product have exactly one importer: each is one more file to open, for the sake of a
 * single caller. The exports of a package are read by its users, so its index does not count. Never fails.
 */
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { root } from './repository.ts';

const PARTS = ['packages', 'services', 'gateway', 'rest-facade', 'mcp', 'console', 'sandbox-provider'];
const { output } = await cruise(PARTS, {
  baseDir: root,
  includeOnly: '/(src|islands)/',
  exclude: String.raw`\.test\.|/(migrations|node_modules|dist|test)/`,
  tsPreCompilationDeps: true,
});

const { modules } = output as ICruiseResult;
const single = modules.filter(
  ({ dependents: [first, ...others] }) => first && others.length === 0 && !first.endsWith('/index.ts'),
);
const byPart = Map.groupBy(single, ({ source }) => source.replace(/\/(?:src|islands)\/.*$/, ''));
const counts = [...byPart].map(([part, own]) => [part, own.length] as const).toSorted(([, a], [, b]) => b - a);
console.log(
  `${single.length} of ${modules.length} files have one importer: ${counts.map(([part, n]) => `${part} ${n}`).join(' · ')}`,
);
