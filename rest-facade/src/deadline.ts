import type { Admitted } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import type { Operation, OperationName } from '@payroll/public-api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A point in time after which work is given up with 503. */
export class Deadline {
  private readonly timer: NodeJS.Timeout;
  private readonly end = Promise.withResolvers<never>();
  private over = false;

  constructor(afterMs: number) {
    // Nobody may be waiting when the time is over.
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

/** The rest of the time is for saying that the work took too long. */
const WORK_SHARE = 0.9;

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
  const deadline = new Deadline(deadlineMs * WORK_SHARE);
  request.deadline = deadline;
  reply.raw.once('close', () => {
    // When the client left early, the clock goes on: its operation is still finished, or given up in time.
    if (reply.raw.writableFinished) deadline[Symbol.dispose]();
  });
}
