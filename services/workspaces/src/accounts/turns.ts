import { unavailable } from '@payroll/kernel';

/** Lets so many do something at the same time, and so many wait for it, in the order in which they came. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly maxWaiting: number,
  ) {}

  /** @throws DomainError `SERVICE_UNAVAILABLE` when too many wait already. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running += 1;
    else if (this.waiting.length < this.maxWaiting) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else throw unavailable('Sign-in');
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // Whoever is next takes over the place: nobody who comes now slips in between.
      if (next) next();
      else this.running -= 1;
    }
  }
}
