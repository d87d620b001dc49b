import { STATUS_CODES } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { DomainError, type ErrorCode, newId, errorForLog } from '@payroll/kernel';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest, FastifyError } from 'fastify';
import type { EdgeConfig } from '../settings/config.js';
import { createHttpServer, type HttpLimits } from './http-server.js';
import { HEALTH_PATHS, serveHealth, type ReadinessCheck } from './lifecycle.js';
import type { Log } from '../log.js';
import { observeRequests, type ObservedRequests } from './observe-requests.js';

export interface ErrorResponse {
  status: number;
  headers?: Readonly<Record<string, string>>;
  type: string;
  body: string;
}

interface AnswerOptions {
  log: Log;
  /** On every answer, beside those that each edge has. */
  headers?: Readonly<Record<string, string>>;
  /** Writes an error in this edge's format. `status`: HTTP's own code for it, such as 408 or 431. */
  refusal: (error: DomainError, requestId: string, status?: number) => ErrorResponse;
  /** Told of each refusal of a request. */
  refused?: (error: DomainError) => void;
  /** Asked before anything is said about a path that cannot be read. @throws DomainError to refuse it for that instead. */
  admitUnreadable?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

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

/** For edges whose errors have no form of their own, or that of GraphQL. */
export const HTTP_STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  INVALID_REQUEST: 400,
  INVALID_CREDENTIAL: 401,
  INSUFFICIENT_SCOPE: 403,
  NOT_FOUND: 404,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
};

/** `{ code, message }`, for edges whose errors have no form of their own. */
export const plainRefusal: AnswerOptions['refusal'] = ({ code, message }, _requestId, status) => ({
  status: status ?? HTTP_STATUS[code] ?? 500,
  type: 'application/json',
  body: JSON.stringify({ code, message }),
});

const BODY_LIMIT_BYTES = 1_048_576;
const WITHOUT_HOST = new DomainError('INVALID_REQUEST', 'The request needs a Host header.');
const OTHER_HOST = new DomainError('INVALID_REQUEST', 'The Host header names another server.');

export function refuseUnknownRoute(message = 'There is nothing at this path with this method.'): never {
  throw new DomainError('NOT_FOUND', message);
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

const NEUTRAL = 'Something went wrong on our side. The request id leads support to what happened.';

/** The HTTP status of connections that failed before there was a request. */
const SOCKET_STATUS: Readonly<Partial<Record<string, number>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers in the edge's form what Fastify and Node would answer in theirs. */
class ErrorResponder {
  constructor(private readonly options: AnswerOptions) {}

  setHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
    reply.headers(this.headersFor(id));
  }

  /** Answers any failure, and logs what went wrong on this side of it. */
  refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply, status?: number): void {
    const error = leftBeforeBody(request)
      ? new DomainError('INVALID_REQUEST', 'The body did not arrive.')
      : toDomainError(thrown);
    const refusal = this.options.refusal(error, request.id, status ?? refusalOfFastify(thrown)?.statusCode);
    request.refusedAs = error.code;
    // Work that stops because its caller has left does not count as an outage.
    const isAbandoned = reply.raw.destroyed && error.code === 'SERVICE_UNAVAILABLE';
    if (!isAbandoned) this.options.refused?.(error);
    if (refusal.status >= 500 && !isAbandoned) {
      this.options.log.error({ requestId: request.id, error: errorForLog(thrown) }, 'request failed');
    }
    void reply
      .code(refusal.status)
      .headers(refusal.headers ?? {})
      .type(refusal.type)
      .send(refusal.body);
  }

  /** A path that cannot be decoded never meets a hook, so what the hooks do is done here. */
  async unreadablePath(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.setHeaders(request, reply);
    try {
      await this.options.admitUnreadable?.(request, reply);
      this.refuse(new DomainError('INVALID_REQUEST', 'The path could not be read.'), request, reply, 400);
    } catch (error) {
      this.refuse(error, request, reply);
    }
  }

  /** Answers by hand what Node could not parse as a request, such as headers that are too large. */
  onSocket({ code = '' }: Error & { code?: string }, socket: Duplex): void {
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = newId();
    const unreadable = new DomainError('INVALID_REQUEST', 'The request could not be read.');
    const { status, headers, type, body } = this.options.refusal(unreadable, requestId, SOCKET_STATUS[code] ?? 400);
    const lines = Object.entries({
      ...headers,
      ...this.headersFor(requestId),
      'Content-Type': type,
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }

  /** On every answer, failures included: nothing is cached, sniffed or asked for without TLS, and each has its id. */
  private headersFor(requestId: string): Record<string, string> {
    return {
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'Strict-Transport-Security': 'max-age=31536000',
      // Of what is no page: a browser that shows it all the same loads and runs nothing in it.
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      ...this.options.headers,
    };
  }
}

/** Whether the caller has left before the whole body had arrived: the answer has no reader, and the failure is theirs. */
function leftBeforeBody({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/**
 * Maps any error to one of the closed codes. An unknown error becomes an internal error, and none of its details reach the
 * client.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError && thrown.code !== 'INTERNAL_ERROR') return thrown;
  const refused = refusalOfFastify(thrown);
  if (!refused || refused.statusCode >= 500) return new DomainError('INTERNAL_ERROR', NEUTRAL, { cause: thrown });
  return refused.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? new DomainError('PAYLOAD_TOO_LARGE', 'The body is too large.')
    : new DomainError('INVALID_REQUEST', `The request could not be read: ${refused.message}`, { cause: thrown });
}

/** Fastify's own refusals have a code of its own and a status; a status alone may be anyone's. */
function refusalOfFastify(error: unknown): (FastifyError & { statusCode: number }) | null {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return null;
  return String(error.code).startsWith('FST_ERR_') ? (error as FastifyError & { statusCode: number }) : null;
}
