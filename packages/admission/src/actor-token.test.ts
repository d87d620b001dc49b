import { randomBytes } from 'node:crypto';
import { newId, SCOPES, type Origin } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { mintActorToken, verifyActorToken } from './actor-token.js';

const key = randomBytes(32);
const now = new Date('2027-01-01T00:00:00Z');
const later = (ms: number): Date => new Date(now.getTime() + ms);
const origin: Origin = {
  actor: { kind: 'api_key', principalId: newId(), workspaceId: newId(), role: 'admin', scopes: SCOPES },
  via: 'rest',
  requestId: 'request',
};
const token = mintActorToken('review', key, origin, now);
const refused = expect.objectContaining({ code: 'INVALID_CREDENTIAL' });

it('says who acts, to the service it was made for', () => {
  expect(verifyActorToken('review', key, token, now)).toEqual(origin);
  expect(() => verifyActorToken('payments', key, token, now)).toThrow(refused);
  expect(() => verifyActorToken('review', randomBytes(32), token, now)).toThrow(refused);
});

it('holds for 15 seconds', () => {
  expect(() => verifyActorToken('review', key, token, later(14_999))).not.toThrow();
  expect(() => verifyActorToken('review', key, token, later(15_000))).toThrow(refused);
});

it('with any one character changed is refused', () => {
  for (let at = 0; at < token.length; at++) {
    for (const char of ['A', 'B', '.', '-']) {
      const altered = token.slice(0, at) + char + token.slice(at + 1);
      if (altered === token) continue;
      // The last character of a signature has bits that mean nothing; the same signature is no alteration.
      const sameSignature =
        at === token.length - 1 &&
        Buffer.from(altered.split('.')[1]!, 'base64url').equals(Buffer.from(token.split('.')[1]!, 'base64url'));
      if (!sameSignature) expect(() => verifyActorToken('review', key, altered, now)).toThrow(refused);
    }
  }
});

it.each([undefined, null, 7, '', '.', 'a.b.c', 'a.', '.b', {}])('%j is no token', (value) => {
  expect(() => verifyActorToken('review', key, value, now)).toThrow(refused);
});
