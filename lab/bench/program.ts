import { connect } from 'node:net';
import { join } from 'node:path';
import { progress } from '@payroll/tools/cli';
import type { Guardian } from '@payroll/tools/local/guardian';
import { hostEnvironment } from '@payroll/infra/processes';
import { Supervised, type ProcessSpec } from '@payroll/tools/local/supervisor';

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

/** Whether a program listens on this loopback port. */
export function listensAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const say = (listens: boolean) => () => {
      socket.destroy();
      resolve(listens);
    };
    socket.once('connect', say(true)).once('error', say(false));
  });
}
