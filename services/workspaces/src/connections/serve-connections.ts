import type { KeyObject } from 'node:crypto';
import { isId } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import { OWN_CLAIMS, readAccessClaims } from '../domain/connection.js';
import { AuthorizationServer } from '../oauth/authorization-server.js';
import { consentPages } from '../oauth/consent/consent-pages.js';
import { oauthEndpoints } from '../oauth/endpoints.js';
import { KeyRing } from '../oauth/key-ring.js';
import { deriveKey } from '../oauth/sealed-box.js';
import type { OauthSettings } from '../oauth/settings.js';
import type { Expected } from '../oauth/access-tokens.js';
import type { WebRoutes } from '../web/web.js';
import type { ConnectionAdmissionOptions } from './answer-connections.js';
import { outsideIssuer, type TokenIssuer } from './token-issuer.js';
import { connectOutside } from './outside-sign-in.js';
import { VerifiedTokens } from './verified-tokens.js';

/** The authorization server with its pages, unless an external issuer replaces it. */
export function oauthRoutes({ em, log }: Pick<ServiceParts, 'em' | 'log'>, settings: OauthSettings | null): WebRoutes {
  if (settings === null || settings.outside) return { pages: [], endpoints: [] };
  const server = new AuthorizationServer({ em, settings, log });
  return { pages: [consentPages(server)], endpoints: [oauthEndpoints(server)] };
}

export function connectionAdmission(
  { em, commands }: Pick<ServiceParts, 'em' | 'commands'>,
  settings: OauthSettings,
): ConnectionAdmissionOptions {
  const { issuer, mcpUrl, secret, outside } = settings;
  return {
    em,
    issuer: outside ? outsideIssuer(outside) : ownIssuer(new KeyRing(em, secret), { issuer, audience: mcpUrl }),
    assertionKey: assertionKey(secret),
    connectNew: outside && ((token) => connectOutside({ em, commands }, token)),
    now: () => new Date(),
  };
}

/** Shared by all processes of this service only. */
export function assertionKey(secret: KeyObject): KeyObject {
  return deriveKey(secret, 'assertions');
}

function ownIssuer(ring: KeyRing, expected: Expected): TokenIssuer {
  const tokens = new VerifiedTokens(ring, expected);
  return {
    read: async (token) => {
      const payload = await tokens.read(token);
      const claims = payload && readAccessClaims(payload, OWN_CLAIMS);
      const grantId = payload?.['grant_id'];
      return claims && isId(grantId) ? { ...claims, grantId, email: null } : null;
    },
  };
}
