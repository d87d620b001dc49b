import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A pid may be reused; pid and start together are not. */
export interface Identity {
  readonly pid: number;
  readonly start: string;
}

export function isAlive({ pid, start }: Identity): boolean {
  return startOf(pid) === start;
}

/** @returns whether it has ended within that time */
export async function hasEnded(process: Identity, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isAlive(process) && Date.now() < deadline) await sleep(50);
  return !isAlive(process);
}

/**
 * The start time in the system's own notation; undefined if the process is gone. No relative import here: the guardian
 * also runs this file from source.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return startFromProc(pid);
  try {
    const [state, ...start] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return state === undefined || state === '' || state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command's name in brackets, which may itself contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // In a container without an init a zombie may stay indefinitely.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Undefined if the process is gone. */
export function commandLineOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}
