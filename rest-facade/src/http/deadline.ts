import type { Admitted } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import type { Operation, OperationName } from '@payroll/public-api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A point in time after which work is given up with 503; cleaning up before the answer has a little longer, the grace. */
export class Deadline {
  private timer: NodeJS.Timeout;
  private readonly work = Promise.withResolvers<never>();
  private readonly grace = Promise.withResolvers<never>();
  private over = false;

  constructor(afterMs: number, graceMs = 0) {
    // Nobody may be waiting when the time is over.
    for (const { promise } of [this.work, this.grace]) promise.catch(() => {});
    this.timer = setTimeout(() => {
      this.over = true;
      this.work.reject(tooLate());
      this.timer = setTimeout(() => this.grace.reject(tooLate()), graceMs);
    }, afterMs);
  }

  get isOver(): boolean {
    return this.over;
  }

  /** @throws DomainError `SERVICE_UNAVAILABLE` when the time is over first. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.work.promise, work]);
  }

  /** @throws DomainError `SERVICE_UNAVAILABLE` when the grace is over first. */
  raceWithGrace<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.grace.promise, work]);
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

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by admission: no handler below `/v1` runs without. */
    admitted: Admitted | null;
    /** When the work is given up: a little before the answer is due, so that there is time to say so. */
    deadline: Deadline;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    operationName?: OperationName;
  }
}

/** What is left for giving up a lease once the work has taken too long. */
const GIVING_UP_SHARE = 0.1;

/** Starts a request's clock, and stops it when it has been answered or its connection is gone. */
export function keepTime(app: FastifyInstance, deadlineMs: number): void {
  app.decorateRequest('admitted', null);
  app.decorateRequest('deadline');
  app.addHook('onRequest', (request, reply, done) => {
    timed(request, reply, deadlineMs);
    done();
  });
}

export function timed(request: FastifyRequest, reply: FastifyReply, deadlineMs: number): void {
  const graceMs = deadlineMs * GIVING_UP_SHARE;
  const deadline = new Deadline(deadlineMs - graceMs, graceMs);
  request.deadline = deadline;
  reply.raw.once('close', () => {
    // When the client left early, the clock goes on: its operation is still finished, or given up in time.
    if (reply.raw.writableFinished) deadline[Symbol.dispose]();
  });
}
