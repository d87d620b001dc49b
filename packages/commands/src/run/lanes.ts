import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '@payroll/kernel';

const TOO_MANY = 'The workspace has more writes under way than it takes at once. Retry with backoff.';

interface Turn {
  isJob: boolean;
  begin: () => void;
}

export interface TurnOptions {
  /** Work that has waited this long is refused: its caller has waited long enough. */
  withinMs: number;
  /** Background work takes at most half of the places. */
  isJob?: boolean;
}

/**
 * The only way to a connection for writing: work of one key takes turns, and at most `most` keys are worked on at once. Without
 * it, the commands of one busy workspace would hold every connection while they wait for each other's change clock.
 */
export class Lanes {
  /** By key, in the order in which keys are served. */
  private readonly waiting = new Map<string, Turn[]>();
  private readonly busy = new Set<string>();
  private jobs = 0;
  private readonly current = new AsyncLocalStorage<string>();

  constructor(private readonly most: number) {}

  /** @throws DomainError `SERVICE_UNAVAILABLE` when its turn has not come within `withinMs`. */
  async run<T>(key: string, { withinMs, isJob = false }: TurnOptions, work: () => Promise<T>): Promise<T> {
    // The inner command would wait for the lane that its caller holds.
    if (this.current.getStore() !== undefined) throw new Error('A command runs another one and waits for it.');
    await this.turn(key, withinMs, isJob);
    try {
      return await this.current.run(key, work);
    } finally {
      this.busy.delete(key);
      if (isJob) this.jobs -= 1;
      this.start();
    }
  }

  private async turn(key: string, withinMs: number, isJob: boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn = { isJob, begin: resolve };
    const turns = this.waiting.get(key);
    if (turns) turns.push(turn);
    else this.waiting.set(key, [turn]);
    const timer = setTimeout(() => {
      this.leave(key, turn);
      reject(new DomainError('SERVICE_UNAVAILABLE', TOO_MANY, { retryAfterSeconds: 1 }));
    }, withinMs);
    this.start();
    await promise.finally(() => clearTimeout(timer));
  }

  private leave(key: string, turn: Turn): void {
    const others = this.waiting.get(key)!.filter((each) => each !== turn);
    if (others.length > 0) this.waiting.set(key, others);
    else this.waiting.delete(key);
  }

  private start(): void {
    for (const [key, [next, ...others]] of this.waiting) {
      if (this.busy.size >= this.most) return;
      if (this.busy.has(key) || (next!.isJob && this.jobs >= Math.ceil(this.most / 2))) continue;
      this.waiting.delete(key);
      // Behind the other keys.
      if (others.length > 0) this.waiting.set(key, others);
      this.busy.add(key);
      if (next!.isJob) this.jobs += 1;
      next!.begin();
    }
  }
}
