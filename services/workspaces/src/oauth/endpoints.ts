import { DomainError, SCOPES } from '@payroll/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OWN_CLAIMS, readAccessClaims, IDENTITY_SCOPES } from '../domain/connection.js';
import { AccountContext, type RoutePlugin, type WebDependencies } from '../web/account-context.js';
import { type AuthorizationServer, countUnauthenticated, tooManyRequests } from './authorization-server.js';
import { useGrant } from './state.js';
import { rememberUnauthenticated, findAccount } from './provider-configuration.js';
import { ROUTES, WELL_KNOWN, type OauthSettings } from './settings.js';

/** The endpoints for programs, answered by the library under the issuer's public URL. */
export function oauthEndpoints(server: AuthorizationServer): RoutePlugin {
  return (web) => (app) => {
    const answer = (request: FastifyRequest, reply: FastifyReply): Promise<void> => handOver(server, request, reply);
    leaveBodiesAlone(app);
    for (const url of [...WELL_KNOWN, ROUTES.jwks]) app.route({ method: ['GET', 'OPTIONS'], url, handler: answer });
    for (const url of [ROUTES.token, ROUTES.revocation]) {
      app.route({ method: ['POST', 'OPTIONS'], url, handler: answer });
    }
    app.get(`${ROUTES.authorization}/:uid`, answer);
    app.get(ROUTES.authorization, async (request, reply) => {
      const { url = '' } = request.raw;
      await requireFewRequests(web, request);
      if ((await AccountContext.of(web, request, reply).signedIn()) === null) rememberUnauthenticated(request.raw, url);
      request.raw.url = withKnownScopes(url);
      await answer(request, reply);
    });
    app.options(ROUTES.registration, (_, reply) => reply.headers(REGISTERS_FROM_BROWSERS).code(204).send());
    app.post(ROUTES.registration, async (request, reply) => {
      reply.headers(REGISTERS_FROM_BROWSERS);
      const waitSeconds = await countUnauthenticated(web.em, 'register', request.ip);
      return await (waitSeconds === null ? answer(request, reply) : refuseFor(waitSeconds, reply));
    });
    app.options(ROUTES.userinfo, (_, reply) => reply.headers(ASKS_FROM_BROWSERS).code(204).send());
    const handler = (request: FastifyRequest, reply: FastifyReply) => answerUserinfo(server, request, reply);
    app.route({ method: ['GET', 'POST'], url: ROUTES.userinfo, handler });
    return Promise.resolve();
  };
}

const KNOWN_SCOPES: ReadonlySet<string> = new Set([...IDENTITY_SCOPES, ...SCOPES]);

/**
 * Ignores scopes that do not exist here, as the tokens do; without any other, the request is for the sign-in scopes (RFC 6749
 * §3.3). Otherwise the person would consent to a connection that may do nothing.
 */
function withKnownScopes(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://here');
  const scopes = searchParams.getAll('scope');
  // The library refuses a parameter that is given twice.
  if (scopes.length > 1) return url;
  const known = scopes.flatMap((scope) => scope.split(' ').filter((word) => KNOWN_SCOPES.has(word)));
  // Without `prompt=consent` the library drops `offline_access`, and a token without scopes is refused.
  const isEnough = known.some((scope) => scope !== 'offline_access');
  searchParams.set('scope', (isEnough ? known : IDENTITY_SCOPES).join(' '));
  return `${pathname}?${searchParams.toString()}`;
}

/** Assistants that run in a browser may call from any origin; these endpoints use no cookies. */
const FOR_ALL_ORIGINS = { 'Access-Control-Allow-Origin': '*' };
const ASKS_FROM_BROWSERS = { ...FOR_ALL_ORIGINS, 'Access-Control-Allow-Headers': 'authorization' };
const REGISTERS_FROM_BROWSERS = {
  ...FOR_ALL_ORIGINS,
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'content-type',
  'Access-Control-Max-Age': '3600',
};

/** The library reads bodies itself. */
function leaveBodiesAlone(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** @throws DomainError `RATE_LIMITED` */
async function requireFewRequests(web: WebDependencies, request: FastifyRequest): Promise<void> {
  const retryAfterSeconds = await countUnauthenticated(web.em, 'authorize', request.ip);
  if (retryAfterSeconds === null) return;
  throw new DomainError('RATE_LIMITED', `Too many requests. Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
}

function refuseFor(waitSeconds: number, reply: FastifyReply): FastifyReply {
  return reply.code(429).header('Retry-After', waitSeconds).send(tooManyRequests(waitSeconds));
}

/** Lets the library answer, with the headers that all responses of this server have. */
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
 * The library builds URLs from the request: always use the issuer's, whatever a client or proxy claims. Router and library
 * ignore a slash at the end, but our rules compare paths: without them the library redirects to any client.
 */
function fixAddress(raw: FastifyRequest['raw'], { issuer }: OauthSettings, clientAddress: string): void {
  const { host, protocol } = new URL(issuer);
  raw.url = raw.url!.replace(/^([^?]+)\/(?=\?|$)/, '$1');
  Object.assign(raw.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': clientAddress,
  });
}

/** The signed-in person (OpenID Connect Core §5.3), for tokens issued for the MCP server. */
async function answerUserinfo(server: AuthorizationServer, request: FastifyRequest, reply: FastifyReply) {
  const claims = await readClaims(server, request);
  if (claims) return await reply.headers(FOR_ALL_ORIGINS).send(claims);
  const waitSeconds = await countUnauthenticated(server.em, 'token', request.ip);
  if (waitSeconds !== null) return await refuseFor(waitSeconds, reply);
  return await reply
    .code(401)
    .header('WWW-Authenticate', 'Bearer error="invalid_token"')
    .send({ error: 'invalid_token', error_description: 'An access token with the scope openid is required.' });
}

async function readClaims(server: AuthorizationServer, request: FastifyRequest): Promise<object | null> {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) return null;
  const payload = await server.readAccessToken(token);
  const claims = payload && readAccessClaims(payload, OWN_CLAIMS);
  if (!claims?.scopes.includes('openid') || !(await useGrant(server.em, payload?.['grant_id']))) return null;
  const { subject, scopes } = claims;
  const account = await findAccount(server.em, subject);
  if (!account) return null;
  const { sub, name, email, email_verified } = account.claims();
  const address = { email, email_verified };
  return { sub, ...(scopes.includes('profile') && { name }), ...(scopes.includes('email') && address) };
}
