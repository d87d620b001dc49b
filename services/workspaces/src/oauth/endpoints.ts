import { DomainError } from '@payroll/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IDENTITY_SCOPES } from '../domain/connection.js';
import { Exchange } from '../web/exchange.js';
import type { Routes, Web } from '../web/web.js';
import type { AuthorizationServer } from './authorization-server.js';
import { ROUTES, WELL_KNOWN, type OauthSettings } from './settings.js';
import { noteStranger } from './sign-in-first.js';
import { countStranger, tooManyRequests } from './throttle.js';
import { userinfo } from './userinfo.js';

/** What programs ask the authorization server: the library answers, under the address that it has for the outside. */
export function oauthEndpoints(server: AuthorizationServer): Routes {
  return (web) => async (app) => {
    const answer = (request: FastifyRequest, reply: FastifyReply): Promise<void> => handOver(server, request, reply);
    leaveBodiesAlone(app);
    for (const url of WELL_KNOWN) app.route({ method: ['GET', 'OPTIONS'], url, handler: answer });
    app.route({ method: ['GET', 'OPTIONS'], url: ROUTES.jwks, handler: answer });
    app.route({ method: ['POST', 'OPTIONS'], url: ROUTES.token, handler: answer });
    app.route({ method: ['POST', 'OPTIONS'], url: ROUTES.revocation, handler: answer });
    app.get(`${ROUTES.authorization}/:uid`, answer);
    app.get<{ Querystring: { scope?: unknown } }>(ROUTES.authorization, async (request, reply) => {
      // Whoever asks for nothing wants to be signed in (RFC 6749 §3.3); without any scope there would be no token.
      const { url = '' } = request.raw;
      await requireFewRequests(web, request);
      if ((await Exchange.of(web, request, reply).signedIn()) === null) noteStranger(request.raw, url);
      if (request.query.scope === undefined) {
        request.raw.url = `${url}${url.includes('?') ? '&' : '?'}scope=${IDENTITY_SCOPES.join('+')}`;
      }
      await answer(request, reply);
    });
    app.options(ROUTES.registration, (_, reply) => allowBrowsers(reply).code(204).send());
    app.post(ROUTES.registration, async (request, reply) => {
      allowBrowsers(reply);
      const waitSeconds = await countStranger(web.em, 'register', request.ip);
      if (waitSeconds === null) return await answer(request, reply);
      return await reply.code(429).header('Retry-After', waitSeconds).send(tooManyRequests(waitSeconds));
    });
    await app.register(userinfo(server));
  };
}

/** @throws DomainError `RATE_LIMITED` */
async function requireFewRequests(web: Web, request: FastifyRequest): Promise<void> {
  const retryAfterSeconds = await countStranger(web.em, 'authorize', request.ip);
  if (retryAfterSeconds === null) return;
  throw new DomainError('RATE_LIMITED', `Try again in ${retryAfterSeconds} seconds.`, { retryAfterSeconds });
}

/** Lets the library answer, with the headers that all answers of this edge have. */
async function handOver(server: AuthorizationServer, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const provider = await server.provider();
  fixAddress(request.raw, server.settings, request.ip);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  await provider.callback()(request.raw, reply.raw);
}

/**
 * The library makes addresses of what a request says about where it was sent. Neither a client nor a proxy has a say in
 * that: it is the issuer's address, always.
 */
function fixAddress(raw: FastifyRequest['raw'], { issuer }: OauthSettings, clientAddress: string): void {
  const { host, protocol } = new URL(issuer);
  Object.assign(raw.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': clientAddress,
  });
}

/** The library reads them itself. */
function leaveBodiesAlone(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Assistants that run in a browser register from wherever they are served; nothing here knows cookies. */
function allowBrowsers(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'content-type',
    'Access-Control-Max-Age': '3600',
  });
}
