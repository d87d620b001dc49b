import type { KeyObject } from 'node:crypto';
import type { OutsideIssuer } from '../connections/token-issuer.js';

export interface OauthSettings {
  /** Its name in every token and document: the origin of the pages, https outside of one machine. */
  issuer: string;
  /** The one resource that tokens are for: the address of the MCP server (RFC 8707). */
  mcpUrl: string;
  /** Seals what Postgres keeps, and signs the provider's cookies. */
  secret: KeyObject;
  /** Addresses that metadata documents may come from although they are not public; for a network of one's own. */
  metadataRanges: readonly string[];
  /** Replaces the embedded server. */
  outside: OutsideIssuer | null;
}

/** Under /oauth, beside the well-known documents. */
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

/** Where people decide; the provider's cookie for a sign-in under way is limited to its path. */
export const INTERACTION_PATH = '/oauth/connect';
