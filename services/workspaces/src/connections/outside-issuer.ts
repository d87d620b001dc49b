import { unavailable } from '@payroll/kernel';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import { readAccessClaims, type ClaimNames } from '../domain/access-claims.js';
import { normalizeEmail } from '../domain/account.js';
import type { TokenIssuer } from './token-issuer.js';

/** An authorization server that replaces the embedded one (ADR 0014). */
export interface OutsideIssuer {
  issuer: string;
  jwksUrl: string;
  /** The address of the MCP server, unless the issuer names it otherwise. */
  audience: string;
  claims: ClaimNames;
  /** Of an address that the issuer has verified. */
  emailClaim: string;
}

/** Public-key algorithms only: a secret shared with the issuer is none that it could sign for others with. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export function outsideIssuer({ issuer, jwksUrl, audience, claims, emailClaim }: OutsideIssuer): TokenIssuer {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 2_000, cooldownDuration: 5_000 });
  return {
    read: async (token) => {
      const payload = await verify(() =>
        jwtVerify(token, keys, { issuer, audience, algorithms: ALGORITHMS, requiredClaims: ['exp', 'iat', 'sub'] }),
      );
      const read = payload && readAccessClaims(payload, claims);
      return read ? { ...read, grantId: null, email: verifiedEmail(payload, emailClaim) } : null;
    },
  };
}

async function verify(work: () => Promise<{ payload: JWTPayload }>): Promise<JWTPayload | null> {
  try {
    return (await work()).payload;
  } catch (error) {
    if (isAboutToken(error)) return null;
    throw unavailable('The issuer of access tokens', error);
  }
}

/** Everything else is about the issuer: its keys could not be fetched, or are none. */
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
