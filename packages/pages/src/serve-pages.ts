import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import { notFound } from '@payroll/kernel';
import { createEdge, routeOf, type EdgeDependencies } from '@payroll/runtime';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { assets } from './assets.js';
import type { PageResponse, PageContext } from './page-context.js';
import type { ContextFactory } from './routes.js';
import { SECURITY_HEADERS } from './security-headers.js';

interface PagesOptions<At extends PageContext> extends EdgeDependencies {
  origin: string;
  exchangeOf: ContextFactory<At>;
  /** The page for what a handler threw. */
  answerError: (at: At, error: unknown) => Promise<PageResponse>;
  /** For people: HTML and forms. Every POST is refused unless it comes from a form that this server rendered. */
  pages: readonly FastifyPluginAsync[];
  /** For programs: no form parser and no form guard; they send their own errors. */
  endpoints?: readonly FastifyPluginAsync[];
  /** Routes whose forms may have up to `LONG_FORM_BYTES`. */
  longForms?: readonly string[];
}

/** A page is far larger than the form it answers, so most forms have a small limit. */
const FORM_BYTES = 65_536;
/** Twice what `/v1` takes: the texts of a form are percent-encoded. */
const LONG_FORM_BYTES = 2_097_152;

/** The public server of pages and of what else is mounted beside them, not yet listening. */
export async function servePages<At extends PageContext>(options: PagesOptions<At>): Promise<FastifyInstance> {
  const { origin, exchangeOf, answerError, pages, endpoints = [], longForms = [], ...parts } = options;
  const app = createEdge({
    ...parts,
    publicUrl: origin,
    bodyLimitBytes: FORM_BYTES,
    headers: SECURITY_HEADERS,
    traceNameOf: routeOf,
    // People type addresses, too.
    routerOptions: { ignoreTrailingSlash: true },
    // For requests that never reach a page: there is no session yet, so plain text.
    refusal: ({ message }, _requestId, status = 403) => ({ status, type: 'text/plain; charset=utf-8', body: message }),
    answerError: async (error, request, reply) => {
      const at = exchangeOf(request, reply);
      await at.answer(await answerError(at, error));
    },
    notFound: notFound('What this address names').message,
  });
  await app.register(cookie);
  await app.register(assets);
  for (const routes of endpoints) await app.register(routes);
  await app.register(async (guarded) => {
    guarded.removeAllContentTypeParsers();
    await guarded.register(formbody);
    guarded.addHook('onRoute', (route) => {
      if (longForms.includes(route.url)) route.bodyLimit = LONG_FORM_BYTES;
    });
    guarded.addHook('preValidation', (request, reply, done) => {
      exchangeOf(request, reply).requireOwnForm();
      done();
    });
    for (const routes of pages) await guarded.register(routes);
  });
  return app;
}
