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
import { answerClientError, answerOurselves, refuseUnreadable } from './http/own-answers.js';
import type { McpEndpoint } from './protocol/endpoint.js';
import { refusalOf } from './protocol/rpc-error.js';

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
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, _request, reply) => void refuseUnreadable(reply),
  });
  // Bodies are read by the SDK, and by nobody else.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
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
  answerOurselves(app, log, publicUrl);
  serveDiscovery(app, dependencies);
  serveGuide(app, dependencies);
  serveHealth(app, waitingFor);
  // Calls finish; a stream on which nobody waits for an answer would go on for ever.
  app.addHook('preClose', () => Promise.resolve(endpoint.endStreams()));
  await app.register((mcp) => serveMcp(mcp, dependencies));
  return app;
}

const METHODS = ['GET', 'POST', 'DELETE'];
const OTHER_METHOD = refusalOf('INVALID_REQUEST', 'This address takes POST, and within a session GET and DELETE.');

async function serveMcp(app: FastifyInstance, dependencies: AppDependencies): Promise<void> {
  const { admission, endpoint, publicUrl, allowedOrigins } = dependencies;
  await guardOrigins(app, publicUrl, allowedOrigins);
  const url = new URL(publicUrl).pathname;
  app.route({
    method: app.supportedMethods.filter((method) => ![...METHODS, 'OPTIONS'].includes(method)),
    url,
    handler: (_request, reply) => reply.code(405).header('allow', METHODS.join(', ')).send(OTHER_METHOD),
  });
  app.route({
    method: METHODS,
    url,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const auth = await authenticate(admission, metadataUrlOf(publicUrl), request, reply);
      return auth ? await exchange(endpoint, auth, request, reply) : reply;
    },
  });
}
