import { generateKeySync, type KeyObject } from 'node:crypto';
import { recordOf, newId, SCOPES, SERVICES, type Origin } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { mintActorToken, mintActorTokens, verifyActorToken } from './actor-token.js';

const newKey = (): KeyObject => generateKeySync('hmac', { length: 256 });
const key = newKey();
const now = new Date('2027-01-01T00:00:00Z');
const later = (ms: number): Date => new Date(now.getTime() + ms);
const origin: Origin = {
  actor: { kind: 'api_key', principalId: newId(), workspaceId: newId(), role: 'admin', scopes: SCOPES },
  via: 'rest',
  requestId: 'request',
};
const token = mintActorToken('review', key, origin, now);
const refused = expect.objectContaining({ code: 'INVALID_CREDENTIAL' });

it('a token names the actor to the service it was made for', () => {
  expect(verifyActorToken('review', [key], token, now)).toEqual(origin);
  expect(() => verifyActorToken('payments', [key], token, now)).toThrow(refused);
  expect(() => verifyActorToken('review', [newKey()], token, now)).toThrow(refused);
});

it('while a key is rotated, a token under either of the two is accepted', () => {
  for (const keys of [
    [key, newKey()],
    [newKey(), key],
  ]) {
    expect(verifyActorToken('review', keys, token, now)).toEqual(origin);
  }
  expect(() => verifyActorToken('review', [newKey(), newKey()], token, now)).toThrow(refused);
});

it('tokens are made for all services at once, and each service accepts only its own, even under one key', () => {
  const tokens = mintActorTokens(
    recordOf(SERVICES, () => key),
    origin,
    now,
  );
  for (const mine of SERVICES) {
    expect(tokens[mine]).toBe(mintActorToken(mine, key, origin, now));
    for (const other of SERVICES) {
      if (other === mine) expect(verifyActorToken(mine, [key], tokens[other], now)).toEqual(origin);
      else expect(() => verifyActorToken(mine, [key], tokens[other], now)).toThrow(refused);
    }
  }
});

it('a token is valid for 15 seconds', () => {
  const fresh = mintActorToken('review', key, origin, now);
  expect(() => verifyActorToken('review', [key], fresh, later(14_999))).not.toThrow();
  expect(() => verifyActorToken('review', [key], fresh, later(15_000))).toThrow(refused);
});

it('a token with one character changed, added or removed is refused', () => {
  for (let at = 0; at <= token.length; at++) {
    for (const char of ['A', 'B', '.', '-', '']) {
      const altered = token.slice(0, at) + char + token.slice(at + 1);
      if (altered !== token) expect(() => verifyActorToken('review', [key], altered, now)).toThrow(refused);
    }
  }
});

it.each([undefined, null, 7, '', '.', 'a.b.c', 'a.', '.b', {}])('%j is not a token', (value) => {
  expect(() => verifyActorToken('review', [key], value, now)).toThrow(refused);
});
