import { getOAuthProtectedResourceMetadataUrl as metadataUrlOf, type AuthInfo } from '@modelcontextprotocol/server';
import type { ConnectionAdmission } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authInfoOf } from '../caller.js';
import { refusalOf } from '../protocol/rpc-errors.js';

/**
 * Who holds the token, by admission; undefined when the request was answered with a refusal or a challenge. A refusal of who is
 * known is returned: its form depends on the message, which is not read yet.
 */
export async function authenticate(
  admission: ConnectionAdmission,
  publicUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AuthInfo | DomainError | undefined> {
  const token = bearerOf(request.headers.authorization);
  try {
    if (token === null) throw new DomainError('INVALID_CREDENTIAL', whyNoToken(request.headers.authorization));
    return authInfoOf(token, await admission.admit(token, { clientAddress: request.ip }), request.ip);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, retryAfterSeconds } = error;
    const status = STATUS[code];
    if (status === undefined) return error;
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds);
    // RFC 6750: no error without a credential; RFC 9728: where to find who issues one.
    const challenge = `Bearer resource_metadata="${metadataUrlOf(new URL(publicUrl))}"${token === null ? '' : INVALID_TOKEN}`;
    if (status === 401) void reply.header('www-authenticate', challenge);
    void reply.code(status).send(refusalOf(code, message, -32_001));
    return undefined;
  }
}

const INVALID_TOKEN = ', error="invalid_token", error_description="The access token is invalid or has expired."';

const STATUS: Readonly<Partial<Record<DomainError['code'], number>>> = {
  INVALID_CREDENTIAL: 401,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
};

function whyNoToken(authorization: string | undefined): string {
  if (authorization === undefined) return 'Sign in to use this server.';
  return 'The header Authorization must be "Bearer" and an access token: sign in to get one.';
}

function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1] ?? null;
}

export interface Discovery {
  /** The audience of access tokens. */
  publicUrl: string;
  authUrl: string;
}

/** For identity only: what the caller may do follows from the connection and the role (public-api.md §5). */
const SCOPES = ['openid', 'profile', 'email', 'offline_access'];

/** Tells hosts which authorization server to ask (RFC 9728), at both addresses that hosts try. */
export function serveDiscovery(app: FastifyInstance, { publicUrl, authUrl }: Discovery): void {
  const metadata = {
    resource: publicUrl,
    authorization_servers: [authUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Contracts and payroll',
  };
  const paths = new Set(['/.well-known/oauth-protected-resource', new URL(metadataUrlOf(new URL(publicUrl))).pathname]);
  for (const path of paths) {
    app.get(path, async (_request, reply) => {
      // Public, and read by hosts that run in a browser too.
      void reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=300');
      return metadata;
    });
  }
}
