/** Waits where the service says that nothing is left of a limit, before a 429 has to say so (public-api.md §8). */
export class RateLimitPacer {
  private readonly fullUntil = new Map<string, number>();

  /** Takes in `RateLimit: "reads";r=5;t=42, "workspace";r=0;t=42`: of each limit what remains, and for how many seconds. */
  learn(header: string | null): void {
    for (const [, name, seconds] of (header ?? '').matchAll(/"(\w+)";r=0;t=(\d+)/g)) {
      this.fullUntil.set(name!, performance.now() + Number(seconds) * 1000);
    }
  }

  /** For how long a request of the principal had better not be sent. */
  pauseMs(limit: 'reads' | 'writes'): number {
    const until = [limit, 'workspace'].map((name) => this.fullUntil.get(name) ?? 0);
    return Math.max(...until) - performance.now();
  }
}

/** @throws the reason of the signal once it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
