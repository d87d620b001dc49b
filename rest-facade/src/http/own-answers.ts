import { DomainError } from '@payroll/kernel';
import type { IsOwnHost } from '@payroll/process';
import type { FastifyInstance } from 'fastify';
import { answerClientError } from './client-error.js';

/** What Node's server would answer without the one body of errors, or not at all, is answered like all else. */
export function answerOurselves(app: FastifyInstance, isOwnHost: IsOwnHost): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isWithoutHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    if (isWithoutHost) done(new DomainError('INVALID_REQUEST', 'The request needs a Host header.'));
    else if (isOwnHost(request)) done();
    else done(new DomainError('INVALID_REQUEST', 'The Host header names another server.'));
  });
  // An expectation other than 100-continue may be ignored (RFC 9110 §10.1.1): 417 is not in the contract.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket) => answerClientError(new Error('CONNECT is for proxies'), socket));
}
