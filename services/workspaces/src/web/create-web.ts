import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import { DomainError, newId, notFound } from '@payroll/kernel';
import { createHttpServer, levelOfAnswer, ownHosts, StartError, type Drain } from '@payroll/process';
import type { ServiceParts } from '@payroll/service';
import { observeRequests, routeOf, traceRequests } from '@payroll/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Sessions } from '../accounts/sessions.js';
import { answerError } from './answer-error.js';
import { assets } from './assets.js';
import { Exchange } from './exchange.js';
import { setSecurityHeaders } from './security-headers.js';
import type { Routes, Web, WebRoutes, WebSettings } from './web.js';

/** More than the longest form. */
const MAX_BODY_BYTES = 65_536;

/** The pages, listening until they are disposed of. */
export async function startWeb(
  { em, commands, log }: ServiceParts,
  drain: Drain,
  settings: WebSettings,
  routes: WebRoutes,
): Promise<AsyncDisposable> {
  const app = await createWeb({ settings, em, commands, log, sessions: new Sessions(em) }, routes);
  drain.watch(app.server);
  try {
    await app.listen({ host: settings.listenHost, port: settings.listenPort });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw new StartError('AUTH_LISTEN_PORT is taken: another process listens there; choose a free port');
  }
  return { [Symbol.asyncDispose]: () => app.close() };
}

/** The public server of the pages and of what else is mounted beside them, not yet listening. */
export async function createWeb(web: Web, { pages, endpoints }: WebRoutes): Promise<FastifyInstance> {
  const { origin, trustedProxies } = web.settings;
  const isOwnHost = ownHosts([origin]);
  const app = createHttpServer({
    genReqId: newId,
    requestIdHeader: false,
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    trustedProxies,
    frameworkErrors: (_error, request, reply) => refuseUnreadable(request, reply, origin),
  });
  await app.register(cookie);
  app.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(reply, request.id, origin.startsWith('https:'));
    const refusal = new DomainError('INVALID_REQUEST', 'The address names another server.');
    done(isOwnHost(request) ? undefined : refusal);
  });
  traceRequests(app, { nameOf: routeOf });
  logRequests(app, web);
  observeRequests(app, routeOf);
  app.setErrorHandler(async (error, request, reply) => {
    const at = Exchange.of(web, request, reply);
    await at.answer(await answerError(at, error));
  });
  app.setNotFoundHandler(() => {
    throw notFound('What this address names');
  });
  await app.register(assets);
  for (const routes of endpoints) await app.register(routes(web));
  await app.register(guarded(web, pages));
  return app;
}

/** Pages and their forms, each of which must have been rendered here. */
function guarded(web: Web, pages: readonly Routes[]) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    await app.register(formbody);
    app.addHook('preValidation', (request, reply, done) => {
      Exchange.of(web, request, reply).requireOwnForm();
      done();
    });
    for (const routes of pages) await app.register(routes(web));
  };
}

/** A path that cannot be decoded meets no hook, so there is no page for it either. */
function refuseUnreadable(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  setSecurityHeaders(reply, request.id, origin.startsWith('https:'));
  void reply.code(400).type('text/plain; charset=utf-8').send('This address could not be read.');
}

/** One line per answer. The route, not the path: paths hold the tokens of invitations. Never a body or a header. */
function logRequests(app: FastifyInstance, { log }: Web): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? null : request.routeOptions.url;
    const tookMs = Math.round(reply.elapsedTime);
    const { id: requestId, method } = request;
    const { statusCode: status } = reply;
    log[levelOfAnswer(status)]({ requestId, method, route, status, tookMs }, 'answered');
    done();
  });
}
