import type { Supervised } from './supervisor.js';

/** Postgres or NATS in the hands of tests that take them away. Throws where the server is not ours. */
export interface BackendControl {
  readonly pid: number | undefined;
  /** It stays away until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Resolves when it has ended; it is restarted. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export function controlOf(process: Supervised | undefined): BackendControl {
  const own = (): Supervised => {
    if (process === undefined) throw new Error('this server is not ours to stop');
    return process;
  };
  return {
    get pid() {
      return process?.pid;
    },
    stop: async () => own().stop(),
    start: async () => own().start(),
    kill: async (signal) => own().kill(signal),
  };
}
