import { createSecretKey, randomBytes } from 'node:crypto';
import { createLocalJWKSet } from 'jose';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type KeyRing,
  newSigningKey,
  openSigningKey,
  signOwnToken,
  type SigningKeys,
  verifyOwnToken,
} from './key-ring.js';

const expected = { issuer: 'http://issuer', audience: 'http://mcp' };
const LIFETIME_S = 300;

let keys: SigningKeys;
const ring = { current: async () => keys, reload: async () => keys } as unknown as KeyRing;
let token: string;

async function newKeys(): Promise<SigningKeys> {
  const secret = createSecretKey(randomBytes(32));
  const { kid, sealed } = await newSigningKey(secret);
  const key = openSigningKey(secret, kid, sealed);
  const { kty, n, e, alg, use } = key;
  const publicKeys = createLocalJWKSet({ keys: [{ kty, n, e, kid, alg, use } as typeof key] });
  return { keys: [key], publicKeys, version: kid };
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-01T00:00:00Z') });
  keys = await newKeys();
  token = await signOwnToken({ sub: 'ada' }, ring, expected, LIFETIME_S);
});
afterEach(() => {
  vi.useRealTimers();
});

const subjectOf = async (each = token): Promise<string | undefined> =>
  (await verifyOwnToken(each, ring, expected))?.sub;

it('refuses an expired token', async () => {
  vi.setSystemTime(Date.now() + LIFETIME_S * 1000 - 1);
  expect(await subjectOf()).toBe('ada');
  vi.setSystemTime(Date.now() + 1);
  expect(await subjectOf()).toBeUndefined();
});

it('refuses a token signed with a key that was withdrawn later', async () => {
  expect(await subjectOf()).toBe('ada');
  keys = await newKeys();
  expect(await subjectOf()).toBeUndefined();
});

it('does not accept another signature, or none', async () => {
  expect(await subjectOf()).toBe('ada');
  const [header, payload, signature] = token.split('.');
  expect(await subjectOf(`${header}.${payload}.${signature!.slice(0, -2)}AA`)).toBeUndefined();
  expect(await subjectOf(`${header}.${payload}.`)).toBeUndefined();
});
