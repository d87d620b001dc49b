import { describe, expect, it } from 'vitest';
import { toRateLimit, waitSeconds } from './admission.js';
import { readExpiry } from './api-key.js';

describe('standing in line', () => {
  it.each([
    [[], null],
    [[{ name: 'reads', position: 600, resetSeconds: 7 }], null],
    [[{ name: 'reads', position: 601, resetSeconds: 7 }], 7],
    [
      [
        { name: 'writes', position: 61, resetSeconds: 7 },
        { name: 'workspace', position: 2001, resetSeconds: 9 },
      ],
      9,
    ],
    [
      [
        { name: 'writes', position: 61, resetSeconds: 7 },
        { name: 'workspace', position: 2000, resetSeconds: 9 },
      ],
      7,
    ],
    [[{ name: 'failed', position: 30, resetSeconds: 7 }], null],
    [[{ name: 'failed', position: 31, resetSeconds: 7 }], 7],
  ] as const)('%j waits %s s', (standings, wait) => expect(waitSeconds(standings)).toBe(wait));

  it('nothing remains below zero', () => {
    expect(toRateLimit({ name: 'reads', position: 1, resetSeconds: 60 })).toMatchObject({ quota: 600, remaining: 599 });
    expect(toRateLimit({ name: 'reads', position: 700, resetSeconds: 60 }).remaining).toBe(0);
  });
});

describe('an expiry', () => {
  const now = '2027-01-01T00:00:00.000000Z';

  it.each([
    ['2027-01-01T00:00:00.000001Z', '2027-01-01T00:00:00.000001Z'],
    ['2027-01-01T00:00:01Z', '2027-01-01T00:00:01.000000Z'],
    ['2027-01-01T00:00:01.123456789Z', '2027-01-01T00:00:01.123456Z'],
  ])('%s is kept as %s', (text, kept) => expect(readExpiry(text, now)).toBe(kept));

  it.each(['2027-01-01T00:00:00Z', '2026-12-31T23:59:59.9Z', 'tomorrow', '2027-02-30T00:00:00Z'])(
    '%s is none',
    (text) => {
      expect(() => readExpiry(text, now)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
    },
  );
});
