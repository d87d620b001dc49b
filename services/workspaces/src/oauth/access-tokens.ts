import { newId } from '@payroll/kernel';
import { errors, importJWK, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { SIGNING_ALGORITHM, type KeyRing, type SigningKeys } from './key-ring.js';

const ACCESS_TOKEN_TYPE = 'at+jwt';

export interface Expected {
  issuer: string;
  audience: string;
}

/** The claims of an access token signed by the embedded server (RFC 9068), or null. */
export async function verifyOwnToken(
  token: string,
  ring: Pick<KeyRing, 'current' | 'reload'>,
  expected: Expected,
): Promise<JWTPayload | null> {
  const payload = await verify(token, await ring.current(), expected);
  if (payload !== 'unknown key') return payload;
  // Another process may already sign with a key that this one has not loaded.
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

/** Signs an access token like the library's (RFC 9068), for a sign-in without the library. */
export async function signOwnToken(
  claims: JWTPayload & { sub: string },
  ring: KeyRing,
  { issuer, audience }: Expected,
  lifetimeS: number,
): Promise<string> {
  const key = (await ring.current()).keys[0]!;
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: key.kid! })
    .setJti(newId())
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeS)
    .sign(await importJWK(key, SIGNING_ALGORITHM));
}
