import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { environmentOf, processes } from '../local/processes.js';
import { repositoryRoot } from '../local/repository-root.js';
import type { Stack } from '../local/stack.js';

const workspaces = processes.find(({ name }) => name === 'workspaces')!;

/** Runs one of the operator's commands of the workspaces service; gives back what it printed. */
export async function runWorkspacesCommand(stack: Stack, args: readonly string[], input = ''): Promise<string> {
  const entry = join(repositoryRoot, workspaces.entry);
  const running = promisify(execFile)(process.execPath, [entry, ...args], { env: environmentOf(workspaces, stack) });
  running.child.stdin?.end(input);
  return (await running).stdout.trim();
}
