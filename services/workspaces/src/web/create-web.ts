import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import { notFound } from '@payroll/kernel';
import { createEdge, openEdge, routeOf, type Drain, type WaitingFor } from '@payroll/process';
import type { ServiceParts } from '@payroll/service';
import type { FastifyInstance } from 'fastify';
import { Sessions } from '../accounts/sessions.js';
import { answerError } from './answer-error.js';
import { assets } from './assets.js';
import { Exchange } from './exchange.js';
import { SECURITY_HEADERS } from './security-headers.js';
import type { Routes, Web, WebRoutes, WebSettings } from './web.js';

/** More than the longest form. */
const MAX_BODY_BYTES = 65_536;

export async function startWeb(
  { em, commands, log }: ServiceParts,
  { drain, waitingFor }: { drain: Drain; waitingFor: WaitingFor },
  settings: WebSettings,
  routes: WebRoutes,
): Promise<AsyncDisposable> {
  const app = await createWeb({ settings, em, commands, log, sessions: new Sessions(em) }, routes, waitingFor);
  return await openEdge(app, drain, settings, 'AUTH_LISTEN_PORT');
}

/** The public server of the pages and of what else is mounted beside them, not yet listening. */
export async function createWeb(web: Web, { pages, endpoints }: WebRoutes, waitingFor: WaitingFor) {
  const { origin, trustedProxies } = web.settings;
  const app = createEdge({
    log: web.log,
    waitingFor,
    trustedProxies,
    publicUrl: origin,
    bodyLimitBytes: MAX_BODY_BYTES,
    headers: SECURITY_HEADERS,
    traceNameOf: routeOf,
    // Of what never reaches a page: it knows no browser and no session.
    refusal: ({ message }, _requestId, status = 403) => ({ status, type: 'text/plain; charset=utf-8', body: message }),
    answerError: async (error, request, reply) => {
      const at = Exchange.of(web, request, reply);
      await at.answer(await answerError(at, error));
    },
    notFound: notFound('What this address names').message,
  });
  await app.register(cookie);
  await app.register(assets);
  for (const routes of endpoints) await app.register(routes(web));
  await app.register(guarded(web, pages));
  return app;
}

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
