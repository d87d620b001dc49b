import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { hostEnvironment } from '../local/processes.js';
import { repositoryRoot } from '../local/repository-root.js';
import type { Stack } from '../local/stack.js';

const MAIN = join(repositoryRoot, 'services/workspaces/dist/main.js');

/** Runs one of the operator's commands of the workspaces service; gives back what it printed. */
export async function runWorkspacesCommand(stack: Stack, args: readonly string[], input = ''): Promise<string> {
  const env = { ...hostEnvironment(), DATABASE_URL: stack.database.urls.workspaces };
  const running = promisify(execFile)(process.execPath, [MAIN, ...args], { env });
  running.child.stdin?.end(input);
  return (await running).stdout.trim();
}
