import { expect, it } from 'vitest';
import { keyStatus } from './keys.js';

it('a key is active until it expires or is revoked', () => {
  const [before, now, after] = [1, 2, 3].map((second) => `2027-01-01T00:00:0${second}.000000Z`) as [
    string,
    string,
    string,
  ];
  expect(keyStatus({ revokedAt: null, expiresAt: after }, now)).toBe('active');
  for (const expiresAt of [now, before]) expect(keyStatus({ revokedAt: null, expiresAt }, now)).toBe('expired');
  for (const expiresAt of [after, before]) expect(keyStatus({ revokedAt: before, expiresAt }, now)).toBe('revoked');
});
