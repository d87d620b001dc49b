import { expect, it } from 'vitest';
import { lastBefore, weekIn, weekToSubmit } from './week-page.js';

it.each([
  ['2026-03-05', '2026-03-02'],
  ['2026-02-30', '2026-03-09'],
  ['9999-12-31', '2026-03-09'],
  ['0001-01-01', '2026-03-09'],
  [undefined, '2026-03-09'],
])('for %s in the address the week from %s is shown', (asked, monday) => {
  expect(weekIn(asked, { firstDay: null, lastDay: null }, '2026-03-11')).toBe(monday);
});

it.each([
  ['2026-03-18', null, '2026-03-16'],
  ['2026-01-01', '2026-02-18', '2026-02-16'],
  ['2026-01-01', '2026-03-12', '2026-03-09'],
  ['9999-12-01', null, '2026-03-09'],
])('of a contract from %s to %s the nearest week is shown', (firstDay, lastDay, monday) => {
  expect(weekIn(undefined, { firstDay, lastDay }, '2026-03-11')).toBe(monday);
});

it.each([
  ['2026-02-25', '2026-01-01', '2026-03-02'],
  ['2026-03-01', '2026-01-01', '2026-03-02'],
  ['2026-03-03', '2026-01-01', '2026-03-09'],
  ['2026-03-10', '2026-01-01', '2026-03-09'],
  ['2025-06-01', '2025-01-01', '2026-02-09'],
  [undefined, '2026-03-04', '2026-03-02'],
  [undefined, '2027-01-01', '2026-03-09'],
  [undefined, null, '2026-03-09'],
])(
  'with work submitted up to %s under a contract from %s the week from %s is to be submitted',
  (newest, first, monday) => {
    expect(weekToSubmit('2026-03-09', newest, first)).toBe(monday);
  },
);

it('a timesheet is copied from an earlier week, and only where it is entered in the same way', () => {
  const work = (periodEnd: string, entries: [] | null = []) => ({ periodEnd, entries });
  const week = { monday: '2026-03-09', days: ['2026-03-09'] };
  const newest = [work('2026-03-15'), work('2026-03-08', null), work('2026-03-01')];
  expect(lastBefore(week, newest)).toEqual(work('2026-03-01'));
  expect(lastBefore({ ...week, days: [] }, newest)).toEqual(work('2026-03-08', null));
  // The page then offers no copy.
  expect(lastBefore(week, newest.slice(0, 2))).toBeUndefined();
});
