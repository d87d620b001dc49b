import { describe, expect, it } from 'vitest';
import { problemsOfExpiry, readExpiry } from './api-key.js';

describe('an expiry', () => {
  const now = '2027-01-01T00:00:00.000000Z';

  it.each([
    ['2027-01-01T00:00:00.000001Z', '2027-01-01T00:00:00.000001Z'],
    ['2027-01-01T00:00:01Z', '2027-01-01T00:00:01.000000Z'],
    ['2027-01-01T00:00:01.123456789Z', '2027-01-01T00:00:01.123456Z'],
  ])('%s is kept as %s', (text, kept) => {
    expect(problemsOfExpiry(text, now)).toEqual([]);
    expect(readExpiry(text)).toBe(kept);
  });

  it.each(['2027-01-01T00:00:00Z', '2026-12-31T23:59:59.9Z', 'tomorrow', '2027-02-30T00:00:00Z'])(
    '%s is none',
    (text) => {
      expect(problemsOfExpiry(text, now)).toEqual([{ path: 'expiresAt', code: 'past' }]);
    },
  );
});
