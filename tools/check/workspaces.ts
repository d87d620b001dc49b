/**
 * Every workspace is listed, references its dependencies and nested workspaces, and pins exact versions, one per
 * library, all of them in the lockfile.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { reportFaults, root } from './repository.ts';

interface Manifest {
  name: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Lockfile {
  packages: Record<string, Omit<Manifest, 'name'>>;
}

interface TsConfig {
  exclude?: string[];
  references?: { path: string }[];
}

export const SOLUTION = 'tools/build/tsconfig.json';

/** One line for each thing to fix; empty if there is none. */
export function findFaults(base: string): string[] {
  const read = <T>(path: string): T => JSON.parse(readFileSync(join(base, path), 'utf8')) as T;
  const referencesOf = (path: string): Set<string> =>
    new Set((read<TsConfig>(path).references ?? []).map((to) => relative(base, resolve(base, dirname(path), to.path))));

  const manifests = new Map(
    foldersOf(base)
      .toSorted()
      .map((folder) => [folder, read<Manifest>(`${folder}/package.json`)]),
  );
  const folderOf = new Map([...manifests].map(([folder, { name }]) => [name, folder]));
  const top = read<Manifest>('package.json');

  const faultsOf = (folder: string, manifest: Manifest): string[] => {
    const faults: string[] = [];
    if (!top.workspaces?.some((pattern) => posix.matchesGlob(folder, pattern))) {
      faults.push(`package.json: add "${folder}" to "workspaces"`);
    }
    if (!existsSync(join(base, folder, 'tsconfig.json'))) return [...faults, `${folder}: needs a tsconfig.json`];
    if (!read<TsConfig>(`${folder}/tsconfig.json`).exclude?.includes('**/*.test.ts')) {
      faults.push(`${folder}/tsconfig.json: add "exclude": ["**/*.test.ts"]`);
    }
    const needed = Object.keys(manifest.dependencies ?? {}).flatMap((name) => folderOf.get(name) ?? []);
    const referred = referencesOf(`${folder}/tsconfig.json`);
    for (const other of needed.filter((other) => !referred.has(other))) {
      faults.push(`${folder}/tsconfig.json: refer to ${other}, which package.json depends on`);
    }
    for (const other of [...referred].filter((other) => !needed.includes(other) && dirname(other) !== folder)) {
      faults.push(`${folder}/tsconfig.json: refers to ${other}, on which package.json does not depend`);
    }
    return faults;
  };

  return [
    ...[...manifests].flatMap(([folder, manifest]) => faultsOf(folder, manifest)),
    ...versionFaults([['.', top], ...manifests]),
    ...lockFaults([['', top], ...manifests], read<Lockfile>('package-lock.json')),
  ];
}

/** Every folder with a package.json, in the order of the workspaces of package.json, and within each by name. */
function foldersOf(base: string): string[] {
  const { workspaces = [] } = JSON.parse(readFileSync(join(base, 'package.json'), 'utf8')) as Manifest;
  const folders = (pattern: string): string[] =>
    globSync(`${pattern}/package.json`, { cwd: base }).map(dirname).toSorted();
  return [...new Set([...workspaces, '*', 'packages/*', 'services/*'].flatMap(folders))];
}

/** The solution that `npm run build` builds: every workspace. */
export function renderSolution(base: string): string {
  const references = foldersOf(base).map((folder) => `    { "path": "${posix.relative(dirname(SOLUTION), folder)}" }`);
  return `{
  "compilerOptions": { "composite": true, "tsBuildInfoFile": "../dist/.solution.tsbuildinfo" },
  "files": [],
  "references": [
${references.join(',\n')}
  ]
}
`;
}

function versionFaults(manifests: readonly (readonly [string, Manifest])[]): string[] {
  const first = new Map<string, { version: string; folder: string }>();
  return manifests.flatMap(([folder, { dependencies, devDependencies }]) =>
    Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, version]) => {
      const known = first.get(name) ?? { version, folder };
      first.set(name, known);
      if (!/^(?:npm:[@\w./-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
        return [`${folder}: ${name} is "${version}", not an exact version`];
      if (known.version === version) return [];
      return [`${folder}: ${name} is ${version}, but ${known.version} in ${known.folder}`];
    }),
  );
}

function lockFaults(manifests: readonly (readonly [string, Manifest])[], { packages }: Lockfile): string[] {
  const uses = ({ dependencies = {}, devDependencies = {} }: Omit<Manifest, 'name'> = {}) => ({
    dependencies,
    devDependencies,
  });
  return manifests
    .filter(([folder, manifest]) => !isDeepStrictEqual(uses(packages[folder]), uses(manifest)))
    .map(([folder]) => `package-lock.json: is not what ${join(folder, 'package.json')} says: npm install`);
}

if (import.meta.main) reportFaults(findFaults(root));
