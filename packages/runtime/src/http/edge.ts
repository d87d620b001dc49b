import { isIP } from 'node:net';
import { DomainError, newId } from '@payroll/kernel';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EdgeConfig } from '../settings/config.js';
import { ErrorResponder, type AnswerOptions } from './edge-answers.js';
import { createHttpServer, type HttpLimits } from './http-server.js';
import { HEALTH_PATHS, serveHealth, type Drain, type ReadinessCheck } from './lifecycle.js';
import type { Log } from '../log.js';
import { observeRequests, type ObservedRequests } from './observe-requests.js';
import { StartError } from '../run-main.js';

export interface EdgeDependencies {
  log: Log;
  waitingFor: ReadinessCheck;
  trustedProxies?: EdgeConfig['trustedProxies'] | undefined;
  allowedHosts?: EdgeConfig['allowedHosts'] | undefined;
}

/** The settings in which edges differ (ADR 10). */
interface EdgeOptions extends EdgeDependencies, AnswerOptions, ObservedRequests {
  /** Where it is reached from outside; a relative address names no host. */
  publicUrl?: string;
  limits?: Partial<HttpLimits>;
  bodyLimitBytes?: number;
  routerOptions?: NonNullable<FastifyHttpOptions<FastifyInstance['server']>['routerOptions']>;
  /** Answers what a handler threw, where `refusal` does not. */
  answerError?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
  /** What a 404 says. */
  notFound?: string;
}

/** The HTTP server of an edge, not yet listening: with everything that does not depend on what the edge serves. */
export function createEdge(options: EdgeOptions): FastifyInstance {
  const { log, publicUrl = '', allowedHosts, limits, routerOptions, notFound } = options;
  const answers = new ErrorResponder(options);
  const app = createHttpServer({
    genReqId: newId,
    requestIdHeader: false,
    logger: false,
    bodyLimit: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    limits,
    trustedProxies: options.trustedProxies,
    // A request without one is answered by us.
    http: { requireHostHeader: false },
    ...(routerOptions && { routerOptions }),
    clientErrorHandler: (error, socket) => answers.onSocket(error, socket),
    frameworkErrors: (_error, request, reply) => void answers.unreadablePath(request, reply),
  });
  observeRequests(app, log, options);
  const isOwnHost = hostAllowList([publicUrl], allowedHosts);
  app.addHook('onRequest', (request, reply, done) => {
    answers.setHeaders(request, reply);
    const isWithoutHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    if (isWithoutHost) answers.refuse(WITHOUT_HOST, request, reply, 400);
    else if (isOwnHost(request)) done();
    else answers.refuse(OTHER_HOST, request, reply);
  });
  // Else its body would be read first, and an unreadable one refused with 400.
  app.addHook('preParsing', (request, _reply, _body, done) => {
    if (request.is404) refuseUnknownRoute(notFound);
    done();
  });
  // An expectation other than 100-continue may be ignored (RFC 9110 §10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket) => answers.onSocket(new Error('CONNECT is for proxies'), socket));
  app.setErrorHandler(options.answerError ?? ((error, request, reply) => answers.refuse(error, request, reply)));
  app.setNotFoundHandler(() => refuseUnknownRoute(notFound));
  serveHealth(app, options.waitingFor);
  return app;
}

const BODY_LIMIT_BYTES = 1_048_576;
const WITHOUT_HOST = new DomainError('INVALID_REQUEST', 'The request needs a Host header.');
const OTHER_HOST = new DomainError('INVALID_REQUEST', 'The Host header names another server.');

export function refuseUnknownRoute(message = 'There is nothing at this path with this method.'): never {
  throw new DomainError('NOT_FOUND', message);
}

/** Listens until it is disposed of: it then finishes what it took. `variable` names the port. */
export async function openEdge(
  app: FastifyInstance,
  drain: Drain,
  { listenHost: host, listenPort: port }: Pick<EdgeConfig, 'listenHost' | 'listenPort'>,
  variable = 'LISTEN_PORT',
): Promise<AsyncDisposable> {
  drain.watch(app.server);
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartError(`${variable} is taken: another process listens there; choose a free port`);
  }
  return { [Symbol.asyncDispose]: () => app.close() };
}

/** Whether a request's `Host` names this server. Health is for everybody: whoever checks it has names of its own. */
type IsOwnHost = (request: { url?: string | undefined; headers: { host?: string | undefined } }) => boolean;

/**
 * A page can make a browser call us under a name of its own that it lets point here (DNS rebinding); the browser then takes
 * the answers for the page's. So a server answers to the names of its public addresses, to those that it is given besides,
 * and to what cannot be made to point elsewhere: `localhost`, and addresses. Browsers always send `Host`.
 */
export function hostAllowList(publicUrls: readonly string[], more: readonly string[] = []): IsOwnHost {
  const names = new Set(['localhost', ...publicUrls.flatMap((url) => URL.parse(url)?.hostname ?? []), ...more]);
  return ({ url = '', headers: { host } }) => {
    if (host === undefined || HEALTH_PATHS.includes(url)) return true;
    const name = /[/?#@\\]/.test(host) ? undefined : URL.parse(`http://${host}`)?.hostname;
    return name !== undefined && (names.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0);
  };
}
