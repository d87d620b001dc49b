import { newId } from '@payroll/kernel';
import { importJWK, SignJWT, type JWTPayload } from 'jose';
import { ACCESS_TOKEN_TYPE, type Expected } from './verify-token.js';
import type { KeyRing } from './key-ring.js';
import { SIGNING_ALGORITHM } from './signing-key.js';

/** An access token as the library makes them (RFC 9068), for a sign-in that it was not asked for. */
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
