import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { processes } from '../local/processes.js';
import { repositoryRoot } from '../local/repository-root.js';
import type { Stack } from '../local/stack.js';
import type { StackFile } from '../local/stack-file.js';

/** What the demo needs of a running system, whoever runs it: its doors, the operator's commands, and a place of its own. */
export interface DemoSystem extends Pick<Stack, 'dir' | 'environmentOf'> {
  readonly file: Pick<StackFile, 'rest' | 'graphql'>;
}

const workspaces = processes.find(({ name }) => name === 'workspaces')!;

/** Runs one of the operator's commands of the workspaces service; gives back what it printed. */
export async function runWorkspacesCommand(system: DemoSystem, args: readonly string[], input = ''): Promise<string> {
  const entry = join(repositoryRoot, workspaces.entry);
  const running = promisify(execFile)(process.execPath, [entry, ...args], { env: system.environmentOf('workspaces') });
  running.child.stdin?.end(input);
  return (await running).stdout.trim();
}
