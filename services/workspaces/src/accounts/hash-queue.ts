import { availableParallelism } from 'node:os';
import { unavailable } from '@payroll/kernel';

/** Each takes some 20 MiB and a core for the while: the rest of the process keeps at least half of the cores. */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

/** Beyond that nobody would still wait for the answer. */
const MAX_WAITING = 100;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Takes turns at work that is heavy on purpose, so that a flood of it neither takes all memory nor all cores.
 * @throws DomainError `SERVICE_UNAVAILABLE` when too many wait already.
 */
export async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1;
  else if (waiting.length < MAX_WAITING) await new Promise<void>((resolve) => waiting.push(resolve));
  else throw unavailable('Sign-in');
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
