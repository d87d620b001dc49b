import { describe, expect, it } from 'vitest';
import { canBeUndone, isRequested, problemsOfNewAddress, requireFree, requireNoStaff } from './address-change.js';

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

describe('a change', () => {
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

it('is refused to staff, and where another account or member has the address', () => {
  expect(() => requireNoStaff(true)).toThrow('internal tokens');
  expect(() => requireNoStaff(false)).not.toThrow();
  expect(() => requireFree({ isTaken: true, workspaces: [] })).toThrow('Another account');
  expect(() => requireFree({ isTaken: false, workspaces: ['Northwind'] })).toThrow(
    'Another member or worker of Northwind',
  );
  expect(() => requireFree({ isTaken: false, workspaces: [] })).not.toThrow();
});
