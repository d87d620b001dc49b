import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../processes.js';

interface Manifest {
  name: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
}

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const manifestIn = (folder: string): Manifest => JSON.parse(read(join(folder, 'package.json'))) as Manifest;
const foldersOf = (patterns: readonly string[]): string[] =>
  globSync(
    patterns.map((pattern) => `${pattern}/package.json`),
    { cwd: repositoryRoot },
  ).map(dirname);

const everyPart = foldersOf(manifestIn('.').workspaces!).map(manifestIn);
const installed = [...read('Dockerfile').matchAll(/--workspace (\S+)/g)].map(([, folder]) => folder!);
// `--workspace services` is a folder of workspaces.
const parts = foldersOf(installed.flatMap((folder) => [folder, `${folder}/*`])).map(manifestIn);

/** Packages that `npm ci` puts into the image: the parts that the Dockerfile names, and what they depend on. */
function packagesOf({ name, dependencies = {} }: Manifest): string[] {
  const own = everyPart.filter((part) => part.name in dependencies);
  return [name, ...Object.keys(dependencies), ...own.flatMap(packagesOf)];
}

/** Packages that a program imports, in its own files and in those that it imports by a relative path. */
function importedBy(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const { statements } = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const names = statements
    .filter((each) => ts.isImportDeclaration(each))
    .filter(({ importClause }) => importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
    .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text);
  return names.flatMap((name) => {
    if (name.startsWith('.')) return importedBy(join(dirname(file), name.replace(/\.js$/, '.ts')), seen);
    return isBuiltin(name) ? [] : [name.match(/^(?:@[^/]+\/)?[^/]+/)![0]];
  });
}

const PROGRAMS = [
  ...['health', 'set-up', 'migrate', 'isolation'].map((name) => `infra/docker/${name}.ts`),
  ...['in-compose', 'play', 'keys'].map((name) => `tools/demo/${name}.ts`),
  ...['reconcile', 'load'].map((name) => `tools/operate/${name}.ts`),
];

test.each(PROGRAMS)('the image has every package that %s imports', (program) => {
  const packages = new Set(parts.flatMap(packagesOf));
  expect(importedBy(program).filter((name) => !packages.has(name))).toEqual([]);
});
