import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../processes.js';

interface Manifest {
  name: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const manifestIn = (folder: string): Manifest => JSON.parse(read(join(folder, 'package.json'))) as Manifest;
const filesOf = (patterns: readonly string[]): string[] => globSync(patterns, { cwd: repositoryRoot });
const partsIn = (folders: readonly string[]): Manifest[] =>
  filesOf(folders.map((folder) => `${folder}/package.json`)).map((file) => manifestIn(dirname(file)));

const everyPart = partsIn(manifestIn('.').workspaces!);
const installed = [...read('Dockerfile').matchAll(/--workspace (\S+)/g)].map(([, folder]) => folder!);
// `--workspace services` is a folder of workspaces.
const parts = partsIn(installed.flatMap((folder) => [folder, `${folder}/*`]));

/** Packages that `npm ci` puts into the image: the parts that the Dockerfile names, and their dependencies. */
function packagesOf({ name, dependencies = {} }: Manifest): string[] {
  const own = everyPart.filter((part) => part.name in dependencies);
  return [name, ...Object.keys(dependencies), ...own.flatMap(packagesOf)];
}

/** Packages that a program imports at run time, in its own files and in those that it imports by a relative path. */
async function packagesImportedBy(program: string): Promise<string[]> {
  const { output } = await cruise([program], { baseDir: repositoryRoot, doNotFollow: { path: 'node_modules' } });
  const dependencies = (output as ICruiseResult).modules.flatMap((module) => module.dependencies);
  const outside = dependencies.filter(({ module, coreModule }) => !coreModule && !module.startsWith('.'));
  return [...new Set(outside.map(({ module }) => module.match(/^(?:@[^/]+\/)?[^/]+/)![0]))];
}

/** The programs of infra and tools that compose files, scripts and documents start. */
const starters = ['docker-compose.yml', 'docs/*.md', '{infra,tests/compose}/**/*.sh'];
const started = filesOf(starters).flatMap((file) => [...read(file).matchAll(/\b(infra|tools)\/dist\/([\w/-]+)\.js/g)]);
const programs = [...new Set(started.map(([, folder, path]) => `${folder}/${path}.ts`))];

test.each(programs)('the image has every package that %s imports', async (program) => {
  const packages = new Set(parts.flatMap(packagesOf));
  expect((await packagesImportedBy(program)).filter((name) => !packages.has(name))).toEqual([]);
});

// npm leaves out such a dependency, but installs those of a workspace that is one: a Postgres of 60 MB.
test.each(parts)('$name does not depend on the tools, not even for its tests', ({ devDependencies = {} }) => {
  expect(devDependencies).not.toHaveProperty(['@payroll/tools']);
});

test.each(['Dockerfile', 'infra/balancer/Dockerfile', 'infra/postgres/Dockerfile'])(
  'the image of %s is labelled with our version',
  (file) => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read(file)).toContain(`org.opencontainers.image.version="${version}"`);
  },
);
