import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, or less when the signal is given. A timer alone keeps no process alive. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(() => undefined);
}
