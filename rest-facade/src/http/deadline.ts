import { DomainError } from '@payroll/kernel';

/**
 * A point in time after which work is given up: 503. What has to be tidied up before the answer goes out gets a little
 * longer, the grace. Every request has one, so it is one timer and nothing else.
 */
export class Deadline {
  private timer: NodeJS.Timeout;
  private stage: 'work' | 'grace' | 'over' = 'work';
  private readonly waiting: Record<'work' | 'grace', Set<(reason: DomainError) => void>> = {
    work: new Set(),
    grace: new Set(),
  };

  constructor(afterMs: number, graceMs = 0) {
    this.timer = setTimeout(() => {
      this.stage = 'grace';
      this.giveUp('work');
      this.timer = setTimeout(() => {
        this.stage = 'over';
        this.giveUp('grace');
      }, graceMs);
    }, afterMs);
  }

  get isOver(): boolean {
    return this.stage !== 'work';
  }

  /** @throws DomainError `SERVICE_UNAVAILABLE` when the time is over first. */
  race<T>(work: Promise<T>): Promise<T> {
    return this.isOver ? giveUpOn(work) : this.until('work', work);
  }

  /** @throws DomainError `SERVICE_UNAVAILABLE` when the grace is over first. */
  raceWithGrace<T>(work: Promise<T>): Promise<T> {
    return this.stage === 'over' ? giveUpOn(work) : this.until('grace', work);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
  }

  private until<T>(stage: 'work' | 'grace', work: Promise<T>): Promise<T> {
    const waiting = this.waiting[stage];
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  }

  private giveUp(stage: 'work' | 'grace'): void {
    for (const reject of this.waiting[stage]) reject(tooLate());
  }
}

/** What the work comes to is nobody's any more. */
function giveUpOn<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return Promise.reject(tooLate());
}

function tooLate(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'The answer took too long. Retry with backoff.', {
    retryAfterSeconds: 1,
  });
}
