import { expect, it } from 'vitest';
import { notCountedText } from './money.js';

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
