import { ROLE_SCOPES, SCOPES } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { problemsOfExpiry, problemsOfScopes, readExpiry } from './api-key.js';

describe('an expiry', () => {
  const now = '2027-01-01T00:00:00.000000Z';

  it.each([
    ['2027-01-01T00:00:00.000001Z', '2027-01-01T00:00:00.000001Z'],
    ['2027-01-01T00:00:01Z', '2027-01-01T00:00:01.000000Z'],
    ['2027-01-01T00:00:01.123456789Z', '2027-01-01T00:00:01.123456Z'],
  ])('%s is normalized to %s', (text, kept) => {
    expect(problemsOfExpiry(text, now)).toEqual([]);
    expect(readExpiry(text)).toBe(kept);
  });

  it.each(['2027-01-01T00:00:00Z', '2026-12-31T23:59:59.9Z', 'tomorrow', '2027-02-30T00:00:00Z'])(
    '%s is not a valid expiry',
    (text) => {
      expect(problemsOfExpiry(text, now)).toEqual([{ path: 'expiresAt', code: 'past' }]);
    },
  );
});

describe('the scopes of a key', () => {
  it('must not be empty', () => expect(problemsOfScopes([], 'admin')).toEqual([{ path: 'scopes', code: 'too_short' }]));

  it.each(['admin', 'member', 'viewer'] as const)('must be allowed by the role %s', (role) => {
    expect(problemsOfScopes(ROLE_SCOPES[role], role)).toEqual([]);
    const beyond = SCOPES.filter((scope) => !ROLE_SCOPES[role].includes(scope));
    for (const scope of beyond) {
      expect(problemsOfScopes([...ROLE_SCOPES[role], scope], role)).toEqual([{ path: 'scopes', code: 'beyond_role' }]);
    }
  });
});
