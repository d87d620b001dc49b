import { setTimeout as sleep } from 'node:timers/promises';
import { Drain } from './drain.js';
import type { Settings } from './env.js';

const MOST_SECONDS = 600;

/** How long a process goes on serving after it was asked to stop; long enough for every balancer to notice. */
export function drainSeconds(s: Settings): number {
  return s.wholeNumber('DRAIN_SECONDS', { from: 0, to: MOST_SECONDS }, 0);
}

/**
 * Starts what serves and, once the process is asked to stop, says so in `/readyz`, goes on serving for `seconds`, takes
 * nothing new, finishes what it took and lets go of it. Asked twice, it ends at once.
 */
export async function serveUntilStopped(
  seconds: number,
  start: (drain: Drain) => Promise<AsyncDisposable>,
): Promise<void> {
  const drain = new Drain();
  // Heard from the beginning: asked while it starts, it stops when it has.
  const stopped = untilStopped();
  await using _running = await start(drain);
  const isWaitedFor = await stopped;
  drain.begin();
  if (isWaitedFor) await sleep(seconds * 1_000);
  drain.close();
}

/** False when nobody is there any more to notice: the parent that started the process with IPC is gone. */
async function untilStopped(): Promise<boolean> {
  return await new Promise((resolve) => {
    const asked = (isWaitedFor: boolean): void => {
      // The next signal does what signals do without a listener.
      process.off('SIGTERM', bySignal).off('SIGINT', bySignal);
      resolve(isWaitedFor);
    };
    const bySignal = (): void => asked(true);
    process.on('SIGTERM', bySignal).on('SIGINT', bySignal);
    process.once('disconnect', () => asked(false));
  });
}
