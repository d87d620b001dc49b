import type { ErrorCode } from '@payroll/kernel';
import { startServerSpan, isTracing, type RequestSpan } from '../telemetry/steps.js';
import { metrics } from '../telemetry/catalogue.js';
import { onScrape } from '../telemetry/scrape.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
  callerOf?: (request: FastifyRequest) => Caller;
}

interface Caller {
  workspaceId?: string | undefined;
  principalId?: string | undefined;
}

/** A trace, a log line and a measurement of each request; before any hook that may answer it. */
export function observeRequests(app: FastifyInstance, log: Log, observed: ObservedRequests): void {
  app.decorateRequest('refusedAs', null);
  trace(app, observed);
  const measure = measureRequests(app, observed.operationOf ?? routeOf);
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    // Fastify's onResponse does not run where the caller leaves before the answer, and its elapsedTime is 0 without one.
    reply.raw.once('close', () => {
      const tookMs = performance.now() - startedAt;
      const isAbandoned = !reply.raw.writableEnded;
      const end = { request, reply, tookMs, isAbandoned, caller: observed.callerOf?.(request) };
      within(request, () => write(log, end));
      request.openStep?.end({ status: reply.raw.statusCode, workspaceId: end.caller?.workspaceId });
      measure(end);
    });
    done();
  });
}

interface EndOfRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  tookMs: number;
  /** Whether the caller left before the answer. */
  isAbandoned: boolean;
  caller: Caller | undefined;
}

function write(log: Log, { request, reply, tookMs, isAbandoned, caller }: EndOfRequest): void {
  const { id: requestId, method, refusedAs: code } = request;
  // A probe every few seconds would push what happened out of a log of limited size.
  if (HEALTH_PATHS.includes(request.routeOptions.url ?? '')) return;
  const status = isAbandoned ? undefined : reply.raw.statusCode;
  // The route, not the path: paths hold ids, references and the tokens of invitations. Never a body or a header.
  const route = request.is404 ? null : request.routeOptions.url;
  // Our failures are logged as errors; a refused request is the caller’s mistake.
  const level = status !== undefined && status >= 500 ? 'error' : 'info';
  log[level](
    { requestId, method, route, status, tookMs: Math.round(tookMs), ...(code && { code }), ...caller },
    isAbandoned ? 'abandoned' : 'answered',
  );
}

/** The route as it is declared: paths themselves hold ids. */
export function routeOf({ is404, method, routeOptions: { url = '' } }: FastifyRequest): string | null {
  if (HEALTH_PATHS.includes(url)) return null;
  return is404 ? 'unknown' : `${method} ${url}`;
}

function trace(app: FastifyInstance, { traceNameOf, isOurs }: ObservedRequests): void {
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
}

function within({ openStep }: FastifyRequest, work: () => void): void {
  if (openStep) openStep.run(work);
  else work();
}

type Measure = (end: EndOfRequest) => void;

function measureRequests(app: FastifyInstance, operationOf: (request: FastifyRequest) => string | null): Measure {
  if (!metrics.requests.isConnected) return () => {};
  let inFlight = 0;
  app.addHook('onRequest', (_request, _reply, done) => {
    inFlight++;
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
  return ({ request, reply, tookMs, isAbandoned }) => {
    inFlight--;
    const operation = operationOf(request);
    if (operation === null) return;
    const outcome = isAbandoned ? 'abandoned' : outcomeOf(reply.raw.statusCode);
    metrics.requests.seconds(tookMs / 1000, { operation, outcome });
  };
}

function outcomeOf(status: number): string {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}
