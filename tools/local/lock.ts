import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@payroll/runtime';
import { hasEnded, isAlive, startOf, type Identity } from './process-identity.js';

interface Holder extends Identity {
  /** While the guardian lives, it may still be stopping the holder's processes. */
  readonly guardian?: Identity;
}

/** One stack per directory. A lock whose holder is dead is taken over, once its guardian has finished. */
export async function lockDirectory(dir: string, describeHolder: () => string = () => '') {
  const file = join(dir, 'lock');
  const self = identify(process.pid);
  const mine = `${file}.${process.pid}`;
  try {
    for (;;) {
      writeFileSync(mine, JSON.stringify(self), { mode: 0o600 });
      if (linked(mine, file)) break;
      const holder = readHolder(file);
      if (holder !== undefined && isAlive(holder)) {
        const details = describeHolder();
        throw new StartError(`it already runs (pid ${holder.pid})${details === '' ? '' : `: ${details}`}`);
      }
      if (holder?.guardian !== undefined) await hasEnded(holder.guardian, 15_000);
      takeAway(file, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return {
    /** The next holder waits until this process has cleaned up. */
    setGuardian(pid: number): void {
      writeFileSync(mine, JSON.stringify({ ...self, guardian: identify(pid) }), { mode: 0o600 });
      renameSync(mine, file);
    },
    [Symbol.dispose]: () => rmSync(file, { force: true }),
  };
}

/** Unlike a write, a link appears with its content, and fails if another process was faster. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a dead holder's lock; restores it if another process has taken over between the check and the removal. */
function takeAway(file: string, dead: Holder | undefined): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const taken = readHolder(aside);
  if (taken !== undefined && taken.pid !== dead?.pid && isAlive(taken)) linked(aside, file);
  rmSync(aside, { force: true });
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function identify(pid: number): Identity {
  return { pid, start: startOf(pid) ?? '' };
}
