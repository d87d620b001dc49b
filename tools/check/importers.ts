/** Prints how many files of the product have exactly one importer: each is one more file to open on a way that has no fork. Never fails. */
import { globSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { read, root } from './repository.ts';

const PRODUCT = '{packages/*,services/*,gateway,rest-facade,mcp,console,sandbox-provider}/{src,islands}/**/*.{ts,tsx}';
const files = globSync(PRODUCT, { cwd: root, exclude: ['**/*.test.ts', '**/migrations/**'] });
const known = new Set(files);
const importers = new Map<string, Set<string>>();

for (const file of files) {
  for (const [, path = ''] of read(file).matchAll(/\b(?:from|import)\s*\(?'(\.[^']+)\.js'/g)) {
    const base = posix.join(dirname(file), path);
    const target = [`${base}.ts`, `${base}.tsx`].find((each) => known.has(each));
    if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(file));
  }
}

const partOf = (file: string): string => file.replace(/\/(?:src|islands)\/.*$/, '');
const single = files.filter((file) => importers.get(file)?.size === 1);
const byPart = Map.groupBy(single, partOf);
const counts = [...byPart].map(([part, own]) => [part, own.length] as const).toSorted(([, a], [, b]) => b - a);
console.log(
  `${single.length} of ${files.length} files have one importer: ${counts.map(([part, n]) => `${part} ${n}`).join(' · ')}`,
);
