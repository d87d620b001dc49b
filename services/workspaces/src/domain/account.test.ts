import { expect, it } from 'vitest';
import { type Count, normalizeEmail, subjectsOf, waitForAttempt } from './account.js';

it.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['  ada@example.com\n', 'ada@example.com'],
  ['A\u0308da@example.com', '\u00e4da@example.com'],
])('the address %j is stored as %j', (typed, kept) => expect(normalizeEmail(typed)).toBe(kept));

const attempt = { address: '192.0.2.1', email: 'ada@example.com' };

it('an unknown browser counts for the address and the account, a known one only for itself', () => {
  expect(subjectsOf({ ...attempt, knownDevice: null })).toEqual([
    { kind: 'address', name: '192.0.2.1' },
    { kind: 'account', name: 'ada@example.com' },
  ]);
  expect(subjectsOf({ ...attempt, knownDevice: 'secret' })).toEqual([{ kind: 'device', name: 'secret' }]);
});

it.each<[Count['kind'], number, number | null]>([
  ['address', 30, null],
  ['address', 31, 200],
  ['account', 10, null],
  ['account', 11, 200],
  ['device', 10, null],
  ['device', 11, 200],
])('for the %s, attempt number %i waits %s s', (kind, used, wait) => {
  expect(waitForAttempt([{ kind, name: 'x', used, resetSeconds: 200 }])).toBe(wait);
});

it('the longest wait applies, and it is at least a second', () => {
  const count = { name: 'x', used: 99 };
  const device = { kind: 'device', ...count } as const;
  expect(waitForAttempt([{ ...device, resetSeconds: 0 }])).toBe(1);
  expect(
    waitForAttempt([
      { ...device, resetSeconds: 7 },
      { ...device, resetSeconds: 9 },
    ]),
  ).toBe(9);
});
