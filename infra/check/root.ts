import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's top level. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether Node was started with this module, and not a test that imports it. */
export function isMain(moduleUrl: string): boolean {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl);
}
