import type { Admitted } from '@payroll/admission';
import type { Operation, OperationName } from '@payroll/public-api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Deadline } from './deadline.js';

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
