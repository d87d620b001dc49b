import { describe, expect, it } from 'vitest';
import { ownerOf, problemsOfToken } from './internal-token.js';

const NOW = '2027-01-01T00:00:00.000000Z';
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

  it('belongs to one person in any spelling of the address', () => {
    expect(ownerOf(' Olga@Example.COM ')).toBe('olga@example.com');
  });
});
