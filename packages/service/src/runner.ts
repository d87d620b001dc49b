import { setTimeout as pause } from 'node:timers/promises';
import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { metrics } from '@payroll/telemetry';

export interface RunnerOptions {
  /** For the log. */
  name: string;
  everyMs: number;
  /** What is due as of a moment; it must be safe to run in several processes at the same time. */
  work: (now: Date) => Promise<void>;
  clock: () => Date;
  log: Log;
}

/** Does what is due, again and again, one round after the other; disposing of it lets the round under way finish. */
export function startRunner({ name, everyMs, work, clock, log }: RunnerOptions): AsyncDisposable {
  const stopped = new AbortController();
  const round = async (): Promise<void> => {
    const startedAt = performance.now();
    try {
      await work(clock());
      metrics.runnerRounds.since(startedAt, { runner: name, outcome: 'ok' });
    } catch (error) {
      metrics.runnerRounds.since(startedAt, { runner: name, outcome: 'failed' });
      log.warn({ runner: name, error: errorForLog(error) }, 'A round failed');
    }
  };
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await round();
      await pause(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await running;
    },
  };
}
