import { crc32 } from 'node:zlib';

/** Doubles up to about `mostMs`, with jitter. A whole number: NATS ignores a fractional delay. */
export function backOffMs(failures: number, firstMs: number, mostMs: number): number {
  const base = Math.min(firstMs * 2 ** Math.min(failures - 1, 16), mostMs);
  return Math.round(base * (0.875 + Math.random() * 0.25));
}

/** A sleep that others can end; a ring while awake ends the next sleep at once. */
export class Alarm {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.rung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.wake = resolve;
      const timer = setTimeout(resolve, ms);
      timer.unref();
      await promise;
      clearTimeout(timer);
    }
    this.rung = false;
    this.wake = undefined;
  }
}

/** Work of one key in order, work of different keys in parallel, in at most `count` lanes. */
export class Lanes {
  private readonly tails: Promise<void>[];

  constructor(count: number) {
    this.tails = Array.from({ length: count }, () => Promise.resolve());
  }

  /** `work` must not reject. */
  add(key: string, work: () => Promise<void>): void {
    const lane = crc32(key) % this.tails.length;
    this.tails[lane] = this.tails[lane]!.then(work);
  }

  async idle(): Promise<void> {
    await Promise.all(this.tails);
  }
}
