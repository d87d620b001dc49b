import { setTimeout as pause } from 'node:timers/promises';

/** Sends one request; null when it was answered as it should be, else what was wrong. */
export type Send = (n: number) => Promise<string | null>;

export interface Tally {
  readonly sent: number;
  readonly failed: number;
}

/**
 * So many requests a second, whether or not the ones before have been answered: what a peer's restart delays piles up
 * here as it would with real callers, instead of being waited out.
 */
export class SteadyLoad implements AsyncDisposable {
  private sent = 0;
  private stopped = false;
  private readonly open = new Set<Promise<void>>();
  private readonly running: Promise<void>;
  readonly problems: string[] = [];
  /** In ms, one for each answer. */
  readonly latencies: number[] = [];

  constructor(
    private readonly send: Send,
    private readonly perSecond: number,
  ) {
    this.running = this.run();
  }

  get tally(): Tally {
    return { sent: this.sent, failed: this.problems.length };
  }

  /** Sends no more and waits for the answers under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stopped = true;
    await this.running;
    await Promise.all(this.open);
  }

  private async run(): Promise<void> {
    const startedAt = performance.now();
    while (!this.stopped) {
      const due = ((performance.now() - startedAt) * this.perSecond) / 1_000;
      while (this.sent < due) this.start(this.sent++);
      await pause(5);
    }
  }

  private start(n: number): void {
    const sentAt = performance.now();
    const answered = this.send(n)
      .catch((error: unknown) => String(error))
      .then((problem) => {
        this.latencies.push(performance.now() - sentAt);
        if (problem !== null) this.problems.push(problem);
        this.open.delete(answered);
      });
    this.open.add(answered);
  }
}

/** What came of it, for people; what went wrong, and how often, first. */
export function describeLoad(title: string, { tally, problems, latencies }: SteadyLoad): string {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  const wrong = [...Map.groupBy(problems, (each) => each)].map(([each, all]) => `  ${all.length} × ${each}\n`);
  const sent = `${tally.sent} sent, ${tally.failed} failed requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
  return `${wrong.join('')}${title}: ${sent}\n`;
}
