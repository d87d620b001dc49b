import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@payroll/infra/processes';

const run = promisify(execFile);
const MODULES = ['node_modules', '{packages,services}/*/node_modules', '{infra,tools,tests,lab}/node_modules'];

/** Builds another commit, or this one with a patch, in a copy that is removed after the run. */
export async function otherBuild(
  { ref = 'HEAD', patch }: { ref?: string; patch?: string },
  cleanup: AsyncDisposableStack,
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'payroll-build-'));
  const git = (...args: string[]) => run('git', args, { cwd: repositoryRoot });
  await git('worktree', 'add', '--detach', root, ref);
  cleanup.defer(async () => {
    await git('worktree', 'remove', '--force', root);
    await rm(root, { recursive: true, force: true });
  });
  if (patch !== undefined) await run('git', ['apply', patchOf(patch)], { cwd: root });
  for (const modules of globSync(MODULES, { cwd: repositoryRoot })) {
    // Links the files, not the folder: its links to sibling packages have to point into the copy.
    await run('cp', ['-al', join(repositoryRoot, modules), join(root, modules)]);
  }
  await run(process.execPath, ['tools/bin/build.mjs'], { cwd: root });
  return root;
}

const faults = join(repositoryRoot, 'lab/torture/planted-faults');

export const faultNames = (): string[] =>
  globSync('*.patch', { cwd: faults })
    .map((file) => file.replace(/\.patch$/, ''))
    .toSorted();

/** @throws Error listing the existing patches */
export function patchOf(name: string): string {
  const file = join(faults, `${name}.patch`);
  if (existsSync(file)) return file;
  throw new Error(`--fault is one of: ${faultNames().join(', ')}`);
}
