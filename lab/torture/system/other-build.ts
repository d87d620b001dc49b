import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@payroll/infra/processes';
import { progress, type text } from '@payroll/tools/cli';

const run = promisify(execFile);
const PATCHES = join(repositoryRoot, 'lab/torture/planted-faults');
const MODULES = [
  'node_modules',
  '{packages,services}/*/node_modules',
  '{infra,tools,tests,lab,lab/mutation}/node_modules',
];

export const faultNames = globSync('*.patch', { cwd: PATCHES })
  .map((file) => file.replace(/\.patch$/, ''))
  .toSorted();

export const plantedFault: typeof text = {
  type: 'string',
  read: ([name], option) => {
    if (name === undefined || faultNames.includes(name)) return name;
    throw new Error(`${option} is one of: ${faultNames.join(', ')}`);
  },
};

/** This repository; with a fault a copy of its last commit, built with that patch and removed after the run. */
export async function rootWith(fault: string | undefined, cleanup: AsyncDisposableStack): Promise<string> {
  if (fault === undefined) return repositoryRoot;
  progress('Building the version with the fault');
  return await buildCopy(cleanup, join(PATCHES, `${fault}.patch`));
}

/** A copy of the last commit, installed and built. */
export async function buildCopy(cleanup: AsyncDisposableStack, patch?: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'payroll-build-'));
  const git = (...args: string[]) => run('git', args, { cwd: repositoryRoot });
  await git('worktree', 'add', '--detach', root, 'HEAD');
  cleanup.defer(async () => {
    await git('worktree', 'remove', '--force', root);
    await rm(root, { recursive: true, force: true });
  });
  if (patch !== undefined) await run('git', ['apply', patch], { cwd: root });
  for (const modules of globSync(MODULES, { cwd: repositoryRoot })) {
    // Links the files, not the folder: its links to sibling packages have to point into the copy.
    await run('cp', ['-al', join(repositoryRoot, modules), join(root, modules)]);
  }
  await run(process.execPath, ['tools/bin/build.mjs'], { cwd: root });
  return root;
}
