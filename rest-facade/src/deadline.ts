import { DomainError } from '@payroll/kernel';
import type { FastifyReply } from 'fastify';

/**
 * A point in time after which work is given up with 503. Fastify's `handlerTimeout` cannot be used: it stops its clock as soon
 * as a body has been read (fastify/fastify#6725), so no write would ever be given up.
 */
export class Deadline {
  private readonly timer: NodeJS.Timeout;
  private readonly end = Promise.withResolvers<never>();
  private over = false;

  constructor(afterMs: number) {
    // Without a caller waiting, the rejection would be unhandled.
    this.end.promise.catch(() => {});
    this.timer = setTimeout(() => {
      this.over = true;
      this.end.reject(tooLate());
    }, afterMs);
  }

  get isOver(): boolean {
    return this.over;
  }

  /** @throws DomainError `SERVICE_UNAVAILABLE` when the time is over first. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.end.promise, work]);
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

/** The rest of the time is for saying that the work took too long. */
const WORK_SHARE = 0.9;

/** The deadline of a request. Its clock stops when the answer has been sent. */
export function startDeadline(reply: FastifyReply, answerMs: number): Deadline {
  const deadline = new Deadline(answerMs * WORK_SHARE);
  reply.raw.once('close', () => {
    // When the client left early, the clock goes on: its operation is still finished, or given up in time.
    if (reply.raw.writableFinished) deadline[Symbol.dispose]();
  });
  return deadline;
}
