import { createServer, type RequestListener, type Server } from 'node:http';
import { fastify, type FastifyBaseLogger, type FastifyHttpOptions, type FastifyInstance } from 'fastify';

/** How much of a process a client can hold by its connections. infra/balancer has the same limits. */
export const HTTP_LIMITS = {
  /** How long a request may take to arrive, headers and body; a new connection, to begin one. */
  requestMs: 10_000,
  /** A connection without traffic in either direction is closed after this time: its client no longer reads the answer. */
  silentMs: 30_000,
  /** Open at the same time; more than the balancer opens. Further ones are closed at once. */
  connections: 4_000,
};
export type HttpLimits = typeof HTTP_LIMITS;

/** Longer than the balancer keeps an idle connection, so that the side that sends requests closes it. */
const UNUSED_MS = 72_000;
const HEADER_BYTES = 16_384;

/** How often a late request is looked for within its time; Node's default is every 30 s. */
const CHECKS_PER_REQUEST = 10;

interface HttpServerOptions extends Omit<
  FastifyHttpOptions<Server, FastifyBaseLogger>,
  'requestTimeout' | 'connectionTimeout' | 'keepAliveTimeout' | 'return503OnClosing' | 'trustProxy'
> {
  limits?: Partial<HttpLimits> | undefined;
  /** Proxies whose `X-Forwarded-For` is believed. Without any, a caller's address is the one that connects. */
  trustedProxies?: readonly string[] | undefined;
}

/** Every server of ours that has routes; lint lets nobody else make one. */
export function createHttpServer({ limits, trustedProxies = [], ...options }: HttpServerOptions): FastifyInstance {
  const { requestMs, silentMs, connections } = { ...HTTP_LIMITS, ...limits };
  const app = fastify({
    ...options,
    requestTimeout: requestMs,
    connectionTimeout: silentMs,
    keepAliveTimeout: UNUSED_MS,
    http: { ...options.http, ...timesOf(requestMs) },
    // While it stops it still answers what arrives, with `Connection: close`, rather than with a body of its own.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
  });
  limitConnections(app.server, connections);
  return app;
}

/** The same for a server without routes. */
export function createPlainServer(answer: RequestListener, limits: Partial<HttpLimits> = {}): Server {
  const { requestMs, silentMs, connections } = { ...HTTP_LIMITS, ...limits };
  const server = createServer({ ...timesOf(requestMs), requestTimeout: requestMs }, answer);
  server.setTimeout(silentMs);
  limitConnections(server, connections);
  return server;
}

function timesOf(requestMs: number) {
  return {
    // Node swaps the two timeouts when this one is the longer, and then waits a minute for bodies.
    headersTimeout: requestMs,
    connectionsCheckingInterval: requestMs / CHECKS_PER_REQUEST,
    maxHeaderSize: HEADER_BYTES,
  };
}

function limitConnections(server: Server, connections: number): void {
  server.maxConnections = connections;
  // Above a number of headers Node silently drops the last ones, which may be a proxy's. Their size is the limit.
  server.maxHeadersCount = 0;
}
