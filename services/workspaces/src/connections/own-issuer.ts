import { isId } from '@payroll/kernel';
import { OWN_CLAIMS, readAccessClaims } from '../domain/access-claims.js';
import type { KeyRing } from '../oauth/key-ring.js';
import { verifyOwnToken, type Expected } from '../oauth/verify-token.js';
import type { TokenIssuer } from './token-issuer.js';

/** The embedded authorization server. */
export function ownIssuer(ring: KeyRing, expected: Expected): TokenIssuer {
  return {
    read: async (token) => {
      const payload = await verifyOwnToken(token, ring, expected);
      const claims = payload && readAccessClaims(payload, OWN_CLAIMS);
      const grantId = payload?.['grant_id'];
      return claims && isId(grantId) ? { ...claims, grantId, email: null } : null;
    },
  };
}
