import type { ErrorCode } from '@payroll/kernel';
import { startServerSpan, isTracing, type RequestSpan } from '../telemetry/steps.js';
import { metrics } from '../telemetry/catalogue.js';
import { onScrape } from '../telemetry/readings.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HEALTH_PATHS } from './lifecycle.js';
import type { Log } from '../log.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The step that answers it; null where nobody collects traces, and for what is of no interest. */
    openStep: RequestSpan | null;
    /** The error code of a refusal, which is in the log where its message, which may repeat what was sent, is not. */
    refusedAs: ErrorCode | null;
  }
}

export interface ObservedRequests {
  /** What a request is counted as: closed words, such as its route as declared; null for what is of no interest. */
  operationOf?: (request: FastifyRequest) => string | null;
  /** The name of its trace, as a person would say it; null for none. */
  traceNameOf: (request: FastifyRequest) => string | null;
  /** Whether the caller is one of our own processes. Anybody else's trace is linked, not continued. */
  isOurs?: (request: FastifyRequest) => boolean;
  /** The caller, if admission has identified one. */
  callerOf?: (request: FastifyRequest) => { workspaceId?: string | undefined; principalId?: string | undefined };
}

/** A trace, a log line and a measurement of each request; before any hook that may answer it. */
export function observeRequests(app: FastifyInstance, log: Log, observed: ObservedRequests): void {
  app.decorateRequest('refusedAs', null);
  trace(app, observed);
  measure(app, observed.operationOf ?? routeOf);
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, refusedAs: code } = request;
    const { statusCode: status } = reply.raw;
    // The route, not the path: paths hold ids, references and the tokens of invitations. Never a body or a header.
    const route = request.is404 ? null : request.routeOptions.url;
    const tookMs = Math.round(reply.elapsedTime);
    // Whoever looks for failures finds ours, and not what callers did wrong.
    const level = status >= 500 ? 'error' : 'info';
    log[level](
      { requestId, method, route, status, tookMs, ...(code && { code }), ...observed.callerOf?.(request) },
      'answered',
    );
    done();
  });
}

/** The route as it is declared: paths themselves hold ids. */
export function routeOf({ is404, method, routeOptions: { url = '' } }: FastifyRequest): string | null {
  if (HEALTH_PATHS.includes(url)) return null;
  return is404 ? 'unknown' : `${method} ${url}`;
}

function trace(app: FastifyInstance, { traceNameOf, isOurs, callerOf }: ObservedRequests): void {
  app.decorateRequest('openStep', null);
  if (!isTracing()) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const name = traceNameOf(request);
    const { traceparent } = request.headers;
    const caller = typeof traceparent === 'string' ? traceparent : undefined;
    const led = caller !== undefined && isOurs?.(request) ? { continues: caller } : { follows: caller };
    request.openStep = name === null ? null : startServerSpan(name, { kind: 'server', requestId: request.id, ...led });
    within(request, done);
  });
  // The body arrives in the context of the socket: the step is entered again.
  app.addHook('preValidation', (request, _reply, done) => within(request, done));
  app.addHook('onResponse', (request, { raw: { statusCode: status } }, done) => {
    const workspaceId = callerOf?.(request)?.workspaceId;
    request.openStep?.end({ status, isFailure: status >= 500, workspaceId });
    // Lines about the answer belong to it.
    within(request, done);
  });
}

function within({ openStep }: FastifyRequest, work: () => void): void {
  if (openStep) openStep.run(work);
  else work();
}

function measure(app: FastifyInstance, operationOf: (request: FastifyRequest) => string | null): void {
  if (!metrics.requests.isConnected) return;
  let inFlight = 0;
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight++;
    reply.raw.once('close', () => inFlight--);
    done();
  });
  app.addHook('onResponse', (request, { raw, elapsedTime }, done) => {
    const operation = operationOf(request);
    if (operation !== null) metrics.requests.seconds(elapsedTime / 1000, { operation, outcome: outcomeOf(raw) });
    done();
  });
  const reading = onScrape({
    name: 'requests',
    read: () => metrics.requestsInFlight.set({}, inFlight),
    sets: [metrics.requestsInFlight],
  });
  app.addHook('onClose', (_app, done) => {
    reading[Symbol.dispose]();
    done();
  });
}

function outcomeOf({ writableFinished, statusCode }: { writableFinished: boolean; statusCode: number }): string {
  if (!writableFinished) return 'abandoned';
  if (statusCode >= 500) return 'failed';
  return statusCode >= 400 ? 'refused' : 'ok';
}
