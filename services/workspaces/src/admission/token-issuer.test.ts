import { createSecretKey, randomBytes } from 'node:crypto';
import { createLocalJWKSet, type JWTPayload } from 'jose';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOwnToken, newSigningKey, openSigningKey, type KeyRing, type SigningKeys } from '../oauth/key-ring.js';
import { VerifiedTokens } from './token-issuer.js';

const expected = { issuer: 'http://issuer', audience: 'http://mcp' };
const LIFETIME_S = 300;

/** How often a signature was verified. */
let verifications: number;
let keys: SigningKeys;
let ring: KeyRing;
let tokens: VerifiedTokens;
let token: string;

async function newKeys(): Promise<SigningKeys> {
  const secret = createSecretKey(randomBytes(32));
  const { kid, sealed } = await newSigningKey(secret);
  const key = openSigningKey(secret, kid, sealed);
  const { kty, n, e, alg, use } = key;
  const find = createLocalJWKSet({ keys: [{ kty, n, e, kid, alg, use } as typeof key] });
  const publicKeys: SigningKeys['publicKeys'] = Object.assign(
    (...asked: Parameters<typeof find>) => {
      verifications++;
      return find(...asked);
    },
    { jwks: find.jwks },
  );
  return { keys: [key], publicKeys, version: kid };
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-01T00:00:00Z') });
  keys = await newKeys();
  ring = { current: async () => keys, reload: async () => keys } as unknown as KeyRing;
  tokens = new VerifiedTokens(ring, expected);
  token = await signOwnToken({ sub: 'ada' }, ring, expected, LIFETIME_S);
  verifications = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const read = async (each = token): Promise<JWTPayload['sub']> => (await tokens.read(each))?.sub;

it('verifies a signature once per set of keys', async () => {
  expect([await read(), await read(), await read()]).toEqual(['ada', 'ada', 'ada']);
  expect(verifications).toBe(1);
});

it('refuses an expired token, even one that was verified before', async () => {
  vi.setSystemTime(Date.now() + LIFETIME_S * 1000 - 1);
  expect(await read()).toBe('ada');
  vi.setSystemTime(Date.now() + 1);
  expect(await read()).toBeUndefined();
});

it('refuses a token signed with a key that was withdrawn later', async () => {
  expect(await read()).toBe('ada');
  keys = await newKeys();
  expect(await read()).toBeUndefined();
});

it('verifies again after the keys were reloaded, and forgets earlier results', async () => {
  const old = keys;
  const late = tokens.read(token);
  keys = await newKeys();
  await late;
  expect(await read()).toBeUndefined();
  keys = { ...old };
  expect(await read()).toBe('ada');
});

it('does not accept another text for a verified token', async () => {
  expect(await read()).toBe('ada');
  const [header, payload, signature] = token.split('.');
  expect(await read(`${header}.${payload}.${signature!.slice(0, -2)}AA`)).toBeUndefined();
  expect(await read(`${header}.${payload}.`)).toBeUndefined();
});
