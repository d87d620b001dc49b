import { DomainError } from '@payroll/kernel';

/** A point in time after which nobody waits any longer: 503, and what is still running is told. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(afterMs: number) {
    this.timer = setTimeout(() => this.controller.abort(tooLate()), afterMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** @throws DomainError `SERVICE_UNAVAILABLE` when the time is over first. */
  async race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.controller;
    let giveUp = (): void => {};
    const over = new Promise<never>((_resolve, reject) => {
      giveUp = () => reject(signal.reason as Error);
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
  }
}

function tooLate(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'The answer took too long. Retry with backoff.', {
    retryAfterSeconds: 1,
  });
}
