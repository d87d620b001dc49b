import type { Admitted } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import type { Operation, OperationName } from '@payroll/public-api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * A point in time after which work is given up with 503. Cleaning up before the answer may take a little longer, the
 * grace. Every request has one, so it costs a single timer.
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

/** The outcome of the work is ignored. */
function giveUpOn<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return Promise.reject(tooLate());
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
