import { expect, it, describe } from 'vitest';
import {
  type Count,
  normalizeEmail,
  subjectsOf,
  waitForAttempt,
  canBeUndone,
  isRequested,
  problemsOfNewAddress,
  requireFree,
  requireNoStaff,
} from './account.js';

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

const requested = { expiresAt: '2026-11-28T12:00:00Z', changedAt: null, undoneAt: null };
const made = { ...requested, changedAt: '2026-11-27T12:00:00Z' };

it.each([
  ['ada@example.com', 'same'],
  ['ada＠example.com', 'invalid_format'],
  ['', 'invalid_format'],
  ['grace@example.com', undefined],
])('the new address %j has the problem %s', (email, code) => {
  expect(problemsOfNewAddress(email, 'ada@example.com')[0]?.code).toBe(code);
});

describe('a change of address', () => {
  it.each([
    [requested, '2026-11-28T11:59:59Z', true],
    [requested, '2026-11-28T12:00:00Z', false],
    [made, '2026-11-27T12:00:00Z', false],
  ])('%j at %s can be made: %s', (change, now, expected) => {
    expect(isRequested(change, now)).toBe(expected);
  });

  it.each([
    [made, '2026-12-04T11:59:59Z', true],
    [made, '2026-12-04T12:00:00Z', false],
    [requested, '2026-11-27T12:00:00Z', false],
    [{ ...made, undoneAt: made.changedAt }, '2026-11-27T12:00:01Z', false],
  ])('%j at %s can be undone: %s', (change, now, expected) => {
    expect(canBeUndone(change, now)).toBe(expected);
  });
});

it('a change of address is refused to staff, and where another account or member has the address', () => {
  expect(() => requireNoStaff(true)).toThrow('internal tokens');
  expect(() => requireNoStaff(false)).not.toThrow();
  expect(() => requireFree({ isTaken: true, workspaces: [] })).toThrow('Another account');
  expect(() => requireFree({ isTaken: false, workspaces: ['Northwind'] })).toThrow(
    'Another member or worker of Northwind',
  );
  expect(() => requireFree({ isTaken: false, workspaces: [] })).not.toThrow();
});
