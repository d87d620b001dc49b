import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readStackFile, type StackFile } from '@payroll/tools/local/stack-file';
import { StartupError } from '@payroll/tools/startup-error';
import { startProgram, type Place } from './program.js';

/**
 * The system of another checkout, started by its own `npm start`. Nothing about that version is known except this
 * command and `.local/stack.json`. Its `.local` is removed at the end, so it must not exist at the start.
 * @throws StartupError if the directory is not a checkout, or one that is in use.
 */
export async function startCheckout(directory: string, place: Place, env = {}): Promise<StackFile> {
  const root = resolve(directory);
  const data = join(root, '.local');
  if (!existsSync(join(root, 'node_modules')))
    throw new StartupError(`${root} is no checkout with its packages installed`);
  if (existsSync(data)) throw new StartupError(`${data} has data: remove it, or name a checkout that nobody uses`);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  place.guardian.removeAtEnd(data);
  const stackFile = join(data, 'stack.json');
  await startProgram(
    'other-checkout',
    {
      // Without npm, which would keep the stop signal from the program.
      ...{ command: 'sh', args: ['-c', `exec ${scripts.start}`], cwd: root, env },
      isReady: () => Promise.resolve(readStackFile(stackFile) !== undefined),
      ...{ readyWithinMs: 300_000, stopWithinMs: 30_000 },
    },
    place,
  );
  return readStackFile(stackFile)!;
}
