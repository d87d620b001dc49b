import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The workspace patterns of package.json: `packages/*`, `services/*`, `gateway` … */
export const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };

/** Folders of those workspaces that are processes: `services/review`. */
export function processFolders(pattern: string): string[] {
  return globSync(`${pattern}/src/main.ts`, { cwd: root })
    .map((main) => dirname(dirname(main)))
    .toSorted();
}

/** Compiles these folders and all that they import. `tsc` prints its errors. */
export function buildFolders(folders: readonly string[]): boolean {
  const tsc = join(root, 'node_modules/.bin/tsc');
  return spawnSync(tsc, ['-b', ...folders], { cwd: root, stdio: 'inherit' }).status === 0;
}

/** The output of a built process's command, run without settings. @throws Error with the process's own message */
export async function runProcess(folder: string, ...args: string[]): Promise<string> {
  const main = `${folder}/dist/main.js`;
  if (!existsSync(join(root, main))) throw new Error(`${main} is missing: npm run build`);
  try {
    const options = { cwd: root, env: {}, timeout: 60_000 };
    return (await promisify(execFile)(process.execPath, [main, ...args], options)).stdout;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(stderr.trim() || message);
  }
}

/** Runs one of the commands of package.json; a failure is one line. */
export async function runMain(name: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(`npm run ${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

export function reportFaults(faults: readonly string[]): void {
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
