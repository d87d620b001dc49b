import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Guardian } from './guardian.js';
import { lastLogLine, openLog, readLogSince } from './log-file.js';
import { StartupError } from '../startup-error.js';

export interface Command {
  /** Its name in the error message. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment: nothing is inherited, so that no process sees a secret that is not its own. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly logFile: string;
}

/** Runs a program to its end, logged and guarded like permanent processes. */
export async function runToEnd(spec: Command, guardian?: Guardian): Promise<void> {
  using log = openLog(spec.logFile);
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    ...spec.user,
    env: spec.env,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) guardian?.watch(pid);
  const [code, signal] = (await once(child, 'exit').catch((error: unknown) => {
    throw new StartupError(`${spec.name} cannot be run: ${error instanceof Error ? error.message : String(error)}`);
  })) as [number | null, NodeJS.Signals | null];
  if (pid !== undefined) guardian?.forget(pid);
  if (code === 0) return;
  const words = lastLogLine(readLogSince(spec.logFile, log.size));
  throw new StartupError(`${spec.name} failed (${signal ?? `exit code ${code}`}): ${words} (see ${spec.logFile})`);
}
