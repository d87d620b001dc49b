import { KYB_STATUSES, type KybStatus } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { followVerification, problemsOfCountry, problemsOfEmail, problemsOfName } from './workspace.js';

const WAYS: Readonly<Record<KybStatus, readonly KybStatus[]>> = {
  not_started: ['pending'],
  pending: ['verified', 'rejected'],
  verified: ['pending', 'rejected'],
  rejected: ['pending'],
};

it.each(KYB_STATUSES.flatMap((from) => KYB_STATUSES.map((to) => [from, to] as const)))(
  'verification status: %s → %s',
  (from, to) => {
    if (WAYS[from].includes(to)) expect(followVerification(from, to)).toBe(to);
    else expect(() => followVerification(from, to)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  },
);

it.each(['NL', 'DE'])('%s is a country', (country) => expect(problemsOfCountry(country)).toEqual([]));

it.each(['', 'N', 'NLD', 'nl', 'N1', ' NL', '1NL', 'QQ', 'EU'])('%j is not a country', (country) => {
  expect(problemsOfCountry(country)).toEqual([{ path: 'country', code: 'invalid_format' }]);
});

it('a name must not be empty, and an address must have the form of one', () => {
  expect([...problemsOfName('name', 'Ada'), ...problemsOfEmail('email', 'ada@example.com')]).toEqual([]);
  expect(problemsOfName('name', '')).toEqual([{ path: 'name', code: 'too_short' }]);
  expect(problemsOfEmail('email', 'ada')).toEqual([{ path: 'email', code: 'invalid_format' }]);
});
