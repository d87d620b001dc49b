import type { Admitted } from '@payroll/admission';
import type { Operation } from '@payroll/public-api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Deadline } from './deadline.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by admission: no handler below `/v1` runs without. */
    admitted: Admitted | null;
    /** When the work is given up; a little before the answer is due, so that there is time to say so. */
    work: Deadline;
    answerBy: Deadline;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** What is left for giving up a lease once the work has taken too long. */
const GIVING_UP_SHARE = 0.1;

/** Starts a request's clocks, and stops them when it has been answered or its connection is gone. */
export function keepTime(app: FastifyInstance, deadlineMs: number): void {
  app.decorateRequest('admitted', null);
  app.decorateRequest('work');
  app.decorateRequest('answerBy');
  app.addHook('onRequest', (request, reply, done) => {
    timed(request, reply, deadlineMs);
    done();
  });
}

export function timed(request: FastifyRequest, reply: FastifyReply, deadlineMs: number): void {
  const work = new Deadline(deadlineMs * (1 - GIVING_UP_SHARE));
  const answerBy = new Deadline(deadlineMs);
  request.work = work;
  request.answerBy = answerBy;
  reply.raw.once('close', () => {
    answerBy[Symbol.dispose]();
    // When the client left early, the work's clock goes on: its operation is still finished, or given up in time.
    if (reply.raw.writableFinished) work[Symbol.dispose]();
  });
}
