import { expect, it } from 'vitest';
import { compareStorage } from './look-at-streams.js';

const MIB = 2 ** 20;
const look = (storage: number, limit: number, reserved?: number) => {
  const limits = { max_storage: limit } as Parameters<typeof compareStorage>[1]['limits'];
  return compareStorage('review', { storage, limits, ...(reserved !== undefined && { reserved_storage: reserved }) });
};

it('an account is well until four fifths of its limit are used, or promised to streams', () => {
  expect(look(79 * MIB, 100 * MIB).ok).toBe(true);
  expect(look(80 * MIB, 100 * MIB)).toMatchObject({ ok: false, seen: expect.stringContaining('80 MiB are used') });
  expect(look(1, 100 * MIB, 90 * MIB)).toMatchObject({ ok: false, seen: expect.stringContaining('90 MiB reserved') });
});

it('an account without a limit has all the room that its server has', () => {
  expect(look(10_000 * MIB, -1).ok).toBe(true);
});
