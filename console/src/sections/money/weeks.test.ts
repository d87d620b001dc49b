import { expect, it } from 'vitest';
import { heights, notCountedText } from './weeks.js';

it('the largest amount gets the full height, the others their share of it', () => {
  expect(heights(['10', '5.00', '0.1', '0'], 120)).toEqual([120, 60, 1.2, 0]);
});

it('amounts beyond the precision of numbers keep their order', () => {
  expect(heights(['90000000000000000000.000001', '45000000000000000000.5'], 100)).toEqual([100, 50]);
});

it('a zero amount has no bar, and an empty list is accepted', () => {
  expect(heights(['0.00'], 100)).toEqual([0]);
  expect(heights([], 100)).toEqual([]);
});

it.each([
  [0, 99, null],
  [1, 0, 'Not counted is 1 payment that failed for another reason than want of money: it is owed all the same.'],
  [
    60,
    39,
    'Not counted are 60 payments that failed for another reason than want of money: they are owed all the same.',
  ],
  [0, 100, 'Payments that failed for another reason than want of money are not counted: they are owed all the same.'],
  [60, 40, 'Payments that failed for another reason than want of money are not counted: they are owed all the same.'],
])('of %i that failed for another reason, and %i for want of money: %s', (others, poor, text) => {
  const failed = (failureReason: string, length: number) => Array.from({ length }, () => ({ failureReason }));
  expect(notCountedText([...failed('payee_missing', others), ...failed('insufficient_funds', poor)])).toBe(text);
});
