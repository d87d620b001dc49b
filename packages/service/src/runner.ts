import { setTimeout as pause } from 'node:timers/promises';
import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { metrics } from '@payroll/telemetry';

export interface RunnerOptions {
  /** For the log. */
  name: string;
  everyMs: number;
  /**
   * Does what is due; it must be safe to run in several processes at the same time. It is not told the time: this
   * process's clock says when to look, Postgres' clock what is due.
   */
  work: () => Promise<void>;
  log: Log;
}

/** Does what is due, again and again, one round after the other; disposing of it lets the round under way finish. */
export function startRunner({ name, everyMs, work, log }: RunnerOptions): AsyncDisposable {
  const stopped = new AbortController();
  const round = async (): Promise<void> => {
    const startedAt = performance.now();
    try {
      await work();
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
