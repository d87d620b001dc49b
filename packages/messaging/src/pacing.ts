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

let turn: Promise<void> | undefined;

/** The end of this turn of the event loop. What all who wait for it then say to NATS leaves in one write. */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

interface LanesOptions<Item> {
  /** Keys that are worked on at the same time. */
  count: number;
  /** How many items of a key may be worked on together at the moment. */
  most: () => number;
  /** Must not reject. */
  work: (items: readonly Item[]) => Promise<void>;
}

/** Items of one key in order, those that came while it was busy together; items of different keys in parallel. */
export class Lanes<Item> {
  /** By key, in the order in which their turns come. */
  private readonly waiting = new Map<string, Item[]>();
  private readonly busy = new Map<string, Promise<void>>();
  private starting = false;

  constructor(private readonly options: LanesOptions<Item>) {}

  /** Begins once all that one read of a socket brings is here. */
  add(key: string, item: Item): void {
    const items = this.waiting.get(key);
    if (items) items.push(item);
    else this.waiting.set(key, [item]);
    if (this.starting) return;
    this.starting = true;
    queueMicrotask(() => {
      this.starting = false;
      this.start();
    });
  }

  async idle(): Promise<void> {
    this.start();
    while (this.busy.size > 0) await Promise.all(this.busy.values());
  }

  private start(): void {
    const { count, most } = this.options;
    for (const [key, items] of this.waiting) {
      if (this.busy.size >= count) return;
      if (this.busy.has(key)) continue;
      this.waiting.delete(key);
      const turn = items.splice(0, most());
      // What is left waits behind the other keys.
      if (items.length > 0) this.waiting.set(key, items);
      this.busy.set(key, this.run(key, turn));
    }
  }

  private async run(key: string, turn: readonly Item[]): Promise<void> {
    await this.options.work(turn);
    this.busy.delete(key);
    this.start();
  }
}
