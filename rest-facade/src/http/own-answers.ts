import { DomainError } from '@payroll/kernel';
import type { FastifyInstance } from 'fastify';
import { answerClientError } from './client-error.js';

/** How often Node looks for requests that take too long to arrive. Its own 30 s would leave them hanging. */
const CHECKS_PER_DEADLINE = 10;

/** Options of Node's server, so that it neither answers by itself nor waits much longer than the deadline. */
export function serverOptions(deadlineMs: number) {
  return {
    requireHostHeader: false,
    // Node swaps the two timeouts when this one is the longer, and then waits a minute for bodies.
    headersTimeout: deadlineMs,
    connectionsCheckingInterval: deadlineMs / CHECKS_PER_DEADLINE,
  };
}

/** What Node's server would answer without the one body of errors, or not at all, is answered like all else. */
export function answerOurselves(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isWithoutHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    done(isWithoutHost ? new DomainError('INVALID_REQUEST', 'The request needs a Host header.') : undefined);
  });
  // An expectation other than 100-continue may be ignored (RFC 9110 §10.1.1): 417 is not in the contract.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket) => answerClientError(new Error('CONNECT is for proxies'), socket));
}
