import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/** Claims as text. It is the same for every audience. */
export function encodeClaims(claims: object): string {
  return Buffer.from(JSON.stringify(claims)).toString('base64url');
}

/** The encoded claims with an HMAC that covers the audience too. */
export function signed(audience: string, key: KeyObject, payload: string): string {
  return `${payload}.${createHmac('sha256', key).update(`${audience}.${payload}`).digest('base64url')}`;
}

/**
 * @param keys two while the key is rotated
 * @returns null for a text that is altered, malformed or signed for another audience. It may have expired.
 */
export function readSigned<Claims>(audience: string, keys: readonly KeyObject[], text: string): Claims | null {
  const payload = text.slice(0, Math.max(0, text.indexOf('.')));
  const given = Buffer.from(text);
  const isSignedBy = (key: KeyObject): boolean => {
    const expected = Buffer.from(signed(audience, key, payload));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (!keys.some(isSignedBy)) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
}
