import { ROLE_SCOPES, SCOPES } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { problemsOfExpiry, problemsOfScopes, readExpiry, problemsOfToken } from './credentials.js';

const NOW = '2027-01-01T00:00:00.000000Z';

describe('the expiry of a key', () => {
  it.each([
    ['2027-01-01T00:00:00.000001Z', '2027-01-01T00:00:00.000001Z'],
    ['2027-01-01T00:00:01Z', '2027-01-01T00:00:01.000000Z'],
    ['2027-01-01T00:00:01.123456789Z', '2027-01-01T00:00:01.123456Z'],
  ])('%s is normalized to %s', (text, kept) => {
    expect(problemsOfExpiry(text, NOW)).toEqual([]);
    expect(readExpiry(text)).toBe(kept);
  });

  it.each(['2027-01-01T00:00:00Z', '2026-12-31T23:59:59.9Z', 'tomorrow', '2027-02-30T00:00:00Z'])(
    '%s is not a valid expiry',
    (text) => {
      expect(problemsOfExpiry(text, NOW)).toEqual([{ path: 'expiresAt', code: 'past' }]);
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

const LATEST = '2027-04-01T00:00:00.000000Z';
const given = {
  name: 'Laptop',
  owner: 'olga@example.com',
  team: 'finance',
  expiresAt: '2027-01-31T00:00:00.000000Z',
} as const;

describe('an internal token', () => {
  it.each([
    ['of a person', given],
    ['of a service, with or without an owner', { ...given, team: 'service', owner: null }],
    ['for the longest allowed time', { ...given, expiresAt: LATEST }],
  ] as const)('%s is valid', (_, token) => {
    expect(problemsOfToken(token, { now: NOW, latest: LATEST })).toEqual([]);
  });

  it.each([
    ['without an owner, for a team other than service', { ...given, owner: null }, 'owner', 'required'],
    ['with an owner that is not an address', { ...given, owner: 'Olga' }, 'owner', 'invalid_format'],
    ['over already', { ...given, expiresAt: NOW }, 'expiresAt', 'out_of_range'],
    ['with too long a lifetime', { ...given, expiresAt: '2027-04-01T00:00:00.000001Z' }, 'expiresAt', 'out_of_range'],
    ['without an end', { ...given, expiresAt: 'never' }, 'expiresAt', 'out_of_range'],
    ['without a name', { ...given, name: '' }, 'name', 'too_short'],
  ] as const)('%s is refused', (_, token, path, code) => {
    expect(problemsOfToken(token, { now: NOW, latest: LATEST })).toEqual([{ path, code }]);
  });
});
