import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import { isDomainError, notFound } from '@payroll/kernel';
import { createEdge, routeOf, type EdgeDependencies, ConfigError, type Deployment } from '@payroll/runtime';
import type { FastifyInstance, FastifyPluginAsync, FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { assets } from './assets.js';
import type { PageResponse, PageContext, PageView } from './page-context.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { problemsOf, type FieldMessages } from './sent-form.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A form that works without being signed in. */
    isForStrangers?: true;
  }
}

/** The one exchange of a request. */
type ContextFactory<At extends PageContext> = (request: FastifyRequest, reply: FastifyReply) => At;

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

/** Handlers by method and path: a page (`GET /account`) or a submitted form (`POST /sign-in`). */
export type RouteTable<At extends PageContext> = Readonly<Record<string, (at: At) => Promise<PageResponse>>>;

export function mountRoutes<At extends PageContext>(
  table: RouteTable<At>,
  exchangeOf: ContextFactory<At>,
  config: FastifyContextConfig = {},
): FastifyPluginAsync {
  return (app) => {
    for (const [route, answerTo] of Object.entries(table)) {
      const [method = '', url = ''] = route.split(' ');
      app.route({
        method,
        url,
        config,
        handler: async (request, reply) => {
          const at = exchangeOf(request, reply);
          return await at.answer(await answerTo(at));
        },
      });
    }
    return Promise.resolve();
  };
}

/** A page with a form that is sent to its own address. */
export interface FormPage<At extends PageContext, Entered> {
  load: (at: At) => Promise<Entered>;
  view: (entered: Entered) => PageView;
  submit: (entered: Entered, at: At) => Promise<PageResponse>;
  /** For what can be wrong with the form, which is then shown again; without it a refusal is a page of its own. */
  wording?: FieldMessages;
}

export function formPage<At extends PageContext, Entered>(
  path: string,
  { load, view, submit, wording }: FormPage<At, Entered>,
): RouteTable<At> {
  return {
    [`GET ${path}`]: async (at) => view(await load(at)),
    [`POST ${path}`]: async (at) => {
      const entered = await load(at);
      try {
        return await submit(entered, at);
      } catch (error) {
        if (wording === undefined) throw error;
        const isStale = isDomainError(error, 'STALE_RESOURCE_VERSION');
        return { ...view(entered), problems: problemsOf(error, wording), ...(isStale && { status: 409 }) };
      }
    },
  };
}

/** Where browsers find the pages: with TLS, as passwords travel there, but for a test deployment on this machine. */
export function publicOrigin(text: string, deployment: Deployment): string {
  const { protocol, hostname, origin, href } = new URL(text);
  if (href !== `${origin}/`) throw new ConfigError('APP_URL is not valid: expected an origin without a path');
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || (isLoopback && deployment === 'test')) return origin;
  throw new ConfigError('APP_URL is not valid: expected https://, or http:// on loopback where DEPLOYMENT is test');
}
