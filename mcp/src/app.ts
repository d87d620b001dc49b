import type { ConnectionAdmission } from '@payroll/admission';
import { newId } from '@payroll/kernel';
import { createHttpServer, levelOfAnswer, serveHealth, type Log, type WaitingFor } from '@payroll/process';
import { observeRequests, routeOf, traceRequests } from '@payroll/telemetry';
import type { FastifyInstance } from 'fastify';
import { authenticate } from './http/authenticate.js';
import { metadataUrlOf, serveDiscovery } from './http/discovery.js';
import { exchange } from './http/exchange.js';
import { serveGuide } from './http/guide.js';
import { guardOrigins } from './http/origins.js';
import type { McpEndpoint } from './protocol/endpoint.js';

/** A person has five minutes for an answer, and an older host's call is open meanwhile. */
const SILENT_MS = 360_000;

export interface AppDependencies {
  admission: ConnectionAdmission;
  endpoint: McpEndpoint;
  log: Log;
  publicUrl: string;
  authUrl: string;
  trustedProxies: readonly string[];
  allowedOrigins: readonly string[];
  waitingFor: WaitingFor;
}

/** The HTTP server of `/mcp`, not yet listening. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { endpoint, log, publicUrl, waitingFor, trustedProxies } = dependencies;
  const app = createHttpServer({
    limits: { silentMs: SILENT_MS },
    genReqId: newId,
    requestIdHeader: false,
    logger: false,
    trustedProxies,
  });
  traceRequests(app, { nameOf: (request) => (request.method === 'POST' ? 'answer an assistant' : null) });
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({
      'x-request-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, routeOptions } = request;
    const answer = { status: reply.raw.statusCode, tookMs: Math.round(reply.elapsedTime) };
    log[levelOfAnswer(answer.status)]({ requestId, method, route: routeOptions.url, ...answer }, 'answered');
    done();
  });
  observeRequests(app, routeOf);
  serveDiscovery(app, dependencies);
  serveGuide(app, publicUrl);
  serveHealth(app, waitingFor);
  // Calls finish; a stream on which nobody waits for an answer would go on for ever.
  app.addHook('preClose', () => Promise.resolve(endpoint.endStreams()));
  await app.register((mcp) => serveMcp(mcp, dependencies));
  return app;
}

async function serveMcp(app: FastifyInstance, dependencies: AppDependencies): Promise<void> {
  const { admission, endpoint, publicUrl, allowedOrigins } = dependencies;
  await guardOrigins(app, publicUrl, allowedOrigins);
  // The SDK reads the body itself.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: new URL(publicUrl).pathname,
    handler: async (request, reply) => {
      const auth = await authenticate(admission, metadataUrlOf(publicUrl), request, reply);
      return auth ? await exchange(endpoint, auth, request, reply) : reply;
    },
  });
}
