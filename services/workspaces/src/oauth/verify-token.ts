import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { KeyRing, SigningKeys } from './key-ring.js';
import { SIGNING_ALGORITHM } from './signing-key.js';

export const ACCESS_TOKEN_TYPE = 'at+jwt';

export interface Expected {
  issuer: string;
  audience: string;
}

/** The claims of an access token that the embedded server signed (RFC 9068), or null. */
export async function verifyOwnToken(token: string, ring: KeyRing, expected: Expected): Promise<JWTPayload | null> {
  const payload = await verify(token, await ring.current(), expected);
  if (payload !== 'unknown key') return payload;
  // Another process may have begun to sign with a key that this one has not seen yet.
  const fresh = await verify(token, await ring.reload(), expected);
  return fresh === 'unknown key' ? null : fresh;
}

async function verify(
  token: string,
  { publicKeys }: SigningKeys,
  { issuer, audience }: Expected,
): Promise<JWTPayload | null | 'unknown key'> {
  try {
    const { payload } = await jwtVerify(token, publicKeys, {
      issuer,
      audience,
      algorithms: [SIGNING_ALGORITHM],
      typ: ACCESS_TOKEN_TYPE,
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown key';
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
