import { isId, unavailable } from '@payroll/kernel';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { type AccessClaims, type ClaimNames, OWN_CLAIMS, readAccessClaims } from '../domain/connection.js';
import { normalizeEmail } from '../domain/account.js';
import { type Expected, verifyOwnToken, type KeyRing } from '../oauth/key-ring.js';

export interface TokenFacts extends AccessClaims {
  /** The grant of the embedded server, which is looked up live. Null for an external issuer, which keeps its own. */
  grantId: string | null;
  /**
   * The verified address by which an external issuer's subject is found among the members; null if the token has
   * none.
   */
  email: string | null;
}

export interface TokenIssuer {
  /**
   * Null unless the token is valid and has all the claims.
   * @throws DomainError `SERVICE_UNAVAILABLE` when the issuer's keys cannot be fetched.
   */
  read(token: string): Promise<TokenFacts | null>;
}

/** An external authorization server that replaces the embedded one (ADR 13). */
export interface ExternalIssuer {
  issuer: string;
  jwksUrl: string;
  /** The URL of the MCP server, unless the issuer uses another name for it. */
  audience: string;
  claims: ClaimNames;
  /** The claim with an address that the issuer has verified. */
  emailClaim: string;
}

/** Public-key algorithms only. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

export function outsideIssuer({ issuer, jwksUrl, audience, claims, emailClaim }: ExternalIssuer): TokenIssuer {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 2_000, cooldownDuration: 5_000 });
  return {
    read: async (token) => {
      const checks = { issuer, audience, algorithms: ALGORITHMS, requiredClaims: ['exp', 'iat', 'sub'] };
      const verified = await jwtVerify(token, keys, checks).catch((error: unknown) => {
        if (isAboutToken(error)) return null;
        throw unavailable('The issuer of access tokens', error);
      });
      const read = verified && readAccessClaims(verified.payload, claims);
      return read ? { ...read, grantId: null, email: verifiedEmail(verified.payload, emailClaim) } : null;
    },
  };
}

/** Any other error concerns the issuer: its keys could not be fetched or are invalid. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}

function verifiedEmail(payload: JWTPayload, emailClaim: string): string | null {
  const email = payload[emailClaim];
  return typeof email === 'string' && payload['email_verified'] === true ? normalizeEmail(email) : null;
}

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
