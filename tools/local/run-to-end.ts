import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '@payroll/runtime';
import type { Guardian } from './guardian.js';

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
    throw new StartError(`${spec.name} cannot be run: ${error instanceof Error ? error.message : String(error)}`);
  })) as [number | null, NodeJS.Signals | null];
  if (pid !== undefined) guardian?.forget(pid);
  if (code === 0) return;
  const words = lastLogLine(readLogSince(spec.logFile, log.size));
  throw new StartError(`${spec.name} failed (${signal ?? `exit code ${code}`}): ${words} (see ${spec.logFile})`);
}

const rotateAtBytes = 10 * 1024 * 1024;

/** For a child's output: it needs neither a reader nor its parent. A large log is first renamed to `<file>.1`. */
export function openLog(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (sizeOf(file) > rotateAtBytes) renameSync(file, `${file}.1`);
  const fd = openSync(file, 'a', 0o600);
  return { fd, size: sizeOf(file), [Symbol.dispose]: () => closeSync(fd) };
}

/** The text written since the log had that size, at most its end; used to explain why a process died. */
export function readLogSince(file: string, size: number): string {
  const total = sizeOf(file);
  const length = Math.min(Math.max(total - size, 0), 16 * 1024);
  const buffer = Buffer.alloc(length);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, buffer, 0, length, total - length);
  } finally {
    closeSync(fd);
  }
  return buffer.toString('utf8');
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * The last message of a log, short enough for one line on the console; pino's JSON is parsed, other text is shown as it
 * is.
 */
export function lastLogLine(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const fatal = lines.findLast((line) => /\b(?:FATAL|\[FTL\]|Error):? /.test(line) && !line.startsWith('{'));
  const line = lines.at(-1) ?? '';
  const words = line.startsWith('{') ? messageOf(line) : (fatal ?? line);
  const short = words.replaceAll(/\s+/g, ' ').trim();
  return short.length > 200 ? `${short.slice(0, 199)}…` : short;
}

function messageOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    const parts = [msg, err?.message].filter((part) => part !== undefined && part !== '');
    return parts.length === 0 ? line : [...new Set(parts)].join(': ');
  } catch {
    return line;
  }
}
