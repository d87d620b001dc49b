import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { SealedBox } from './sealed-box.js';

/** What every OpenID client must understand (OpenID Connect Core §15.1). */
export const SIGNING_ALGORITHM = 'RS256';

export interface NewSigningKey {
  /** Its thumbprint (RFC 7638). */
  kid: string;
  sealed: string;
}

export async function newSigningKey(secret: KeyObject): Promise<NewSigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  const text = JSON.stringify({ ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' });
  return { kid, sealed: boxOf(secret).seal(text, kid) };
}

/** @throws Error when it was sealed under another OAUTH_SECRET. */
export function openSigningKey(secret: KeyObject, kid: string, sealed: string): JWK {
  try {
    return JSON.parse(boxOf(secret).open(sealed, kid)) as JWK;
  } catch (cause) {
    throw new Error('A signing key does not open: OAUTH_SECRET is not the one that it was made under', { cause });
  }
}

function boxOf(secret: KeyObject): SealedBox {
  return new SealedBox(secret, 'signing-keys');
}
