import { execFile } from 'node:child_process';
import { existsSync, globSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The repository's top level. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether Node was started with this module, and not a test that imports it. */
export function isMain(moduleUrl: string): boolean {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl);
}

const execute = promisify(execFile);
const timeoutMs = 60_000;

/** Folders of those workspaces that are processes, by name: `services/review`. */
export function processFolders(pattern: string): string[] {
  return globSync(`${pattern}/src/main.ts`, { cwd: root })
    .map((main) => dirname(dirname(main)))
    .toSorted();
}

/**
 * What a command of a built process prints. It gets no settings: these commands need no database and no bus.
 * @throws Error with the process's own words
 */
export async function runProcess(folder: string, ...args: string[]): Promise<string> {
  const main = `${folder}/dist/main.js`;
  if (!existsSync(join(root, main))) throw new Error(`${main} is missing: npm run build`);
  try {
    const { stdout } = await execute(process.execPath, [main, ...args], { cwd: root, env: {}, timeout: timeoutMs });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(stderr.trim() || message);
  }
}
