/**
 * Doubles from `firstMs` to about `mostMs`, with jitter so that processes do not retry in step. A whole number: NATS
 * takes a hand-back with a broken delay for one without.
 */
export function backOffMs(failures: number, firstMs: number, mostMs: number): number {
  const base = Math.min(firstMs * 2 ** Math.min(failures - 1, 16), mostMs);
  return Math.round(base * (0.875 + Math.random() * 0.25));
}

/** A sleeper that others can wake; woken while awake, its next sleep is over at once. */
export class Alarm {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        timer.unref();
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.rung = false;
    this.wake = undefined;
  }
}
