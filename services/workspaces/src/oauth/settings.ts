import type { KeyObject } from 'node:crypto';
import type { ExternalIssuer } from '../admission/token-issuer.js';

export interface OauthSettings {
  /** Issuer in every token and document: the origin of the pages, https except on a single machine. */
  issuer: string;
  /** The one resource that tokens are issued for: the URL of the MCP server (RFC 8707). */
  mcpUrl: string;
  /** Seals data in Postgres and signs the provider's cookies. */
  secret: KeyObject;
  /** Non-public addresses that metadata documents may come from, for a private network. */
  metadataRanges: readonly string[];
  /** An external issuer that replaces the embedded server. */
  outside: ExternalIssuer | null;
}

/** Paths under /oauth; the well-known documents are separate. */
export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  jwks: '/oauth/jwks',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
} as const;

/** RFC 8414 and OpenID Connect Discovery. */
export const WELL_KNOWN = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const;

/** The pages on which people decide; the provider's cookie of a request is limited to this path. */
export const INTERACTION_PATH = '/oauth/connect';
