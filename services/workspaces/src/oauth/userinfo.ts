import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { OWN_CLAIMS, readAccessClaims } from '../domain/connection.js';
import { findAccount } from './accounts.js';
import type { AuthorizationServer } from './authorization-server.js';
import { useGrant } from './live-grant.js';
import { ROUTES } from './settings.js';
import { countStranger, tooManyRequests } from './throttle.js';

/**
 * Who signed in (OpenID Connect Core §5.3), for the very tokens that are given out: they are meant for the MCP server,
 * and who the person is, is the part of it that is answered here.
 */
export function userinfo(server: AuthorizationServer): FastifyPluginAsync {
  return (app) => {
    app.options(ROUTES.userinfo, (_, reply) =>
      reply
        .code(204)
        .headers({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'authorization' })
        .send(),
    );
    app.route({
      method: ['GET', 'POST'],
      url: ROUTES.userinfo,
      handler: async (request, reply) => {
        const claims = await readClaims(server, request);
        if (claims) return await reply.header('Access-Control-Allow-Origin', '*').send(claims);
        return await refuse(server, request, reply);
      },
    });
    return Promise.resolve();
  };
}

async function readClaims(server: AuthorizationServer, request: FastifyRequest): Promise<object | null> {
  const [scheme = '', token = '', ...rest] = (request.headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'bearer' || rest.length > 0) return null;
  const payload = await server.readAccessToken(token);
  const claims = payload && readAccessClaims(payload, OWN_CLAIMS);
  if (!claims?.scopes.includes('openid') || !(await useGrant(server.em, payload?.['grant_id']))) return null;
  const { subject, scopes } = claims;
  const account = await findAccount(server.em, subject);
  if (!account) return null;
  const { sub, name, email, email_verified } = await account.claims('userinfo', '', {}, []);
  const address = { email, email_verified };
  return { sub, ...(scopes.includes('profile') && { name }), ...(scopes.includes('email') && address) };
}

async function refuse(server: AuthorizationServer, { ip }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const waitSeconds = await countStranger(server.em, 'token', ip);
  if (waitSeconds !== null) {
    return await reply.code(429).header('Retry-After', waitSeconds).send(tooManyRequests(waitSeconds));
  }
  return await reply
    .code(401)
    .header('WWW-Authenticate', 'Bearer error="invalid_token"')
    .send({ error: 'invalid_token', error_description: 'An access token with the scope openid is needed.' });
}
