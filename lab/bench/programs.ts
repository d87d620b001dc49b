import { join, resolve } from 'node:path';
import { existsSync, readFileSync } from 'node:fs';
import { progress, StartError } from '@payroll/tools/cli';
import type { Guardian } from '@payroll/tools/local/guardian';
import { hostEnvironment } from '@payroll/infra/processes';
import { type ProcessSpec, Supervised } from '@payroll/tools/local/supervisor';
import { type StackFile, readStackFile } from '@payroll/tools/local/stack-file';

/**
 * The folder of programs that run beside the system, and what stops them: `cleanup`, or the guardian if the bench
 * itself is killed.
 */
export interface Place {
  /** Contains the logs; removed with the system. */
  dir: string;
  guardian: Guardian;
  cleanup: AsyncDisposableStack;
}

type Program = Omit<ProcessSpec, 'name' | 'logFile' | 'env'> & Partial<Pick<ProcessSpec, 'env'>>;

/** Starts a program. @returns its pid once it is ready */
export async function startProgram(name: string, program: Program, { dir, guardian, cleanup }: Place): Promise<number> {
  const env = { ...hostEnvironment(), ...program.env };
  const spec = { startAttempts: 1, ...program, name, env, logFile: join(dir, 'logs', `${name}.log`) };
  const supervised = cleanup.use(new Supervised(spec, { guardian, report: progress }));
  await supervised.start();
  return supervised.pid!;
}

/** Whether a server answers, however it does. */
export const answers = (origin: string): Promise<boolean> =>
  fetch(origin).then(
    () => true,
    () => false,
  );

/**
 * The system of another checkout, started by its own `npm start`. Nothing about that version is known except this
 * command and `.local/stack.json`. Its `.local` is removed at the end, so it must not exist at the start.
 * @throws StartError if the directory is not a checkout, or one that is in use.
 */
export async function startCheckout(directory: string, place: Place, env = {}): Promise<StackFile> {
  const root = resolve(directory);
  const data = join(root, '.local');
  if (!existsSync(join(root, 'node_modules')))
    throw new StartError(`${root} is no checkout with its packages installed`);
  if (existsSync(data)) throw new StartError(`${data} has data: remove it, or name a checkout that nobody uses`);
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
