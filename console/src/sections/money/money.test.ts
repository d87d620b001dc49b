import { expect, it } from 'vitest';
import { notCountedText } from './money.js';

it.each([
  [0, 99, null],
  [1, 0, '1 payment that failed for another reason is not included. It is still owed.'],
  [60, 39, '60 payments that failed for another reason are not included. They are still owed.'],
  [0, 100, 'Payments that failed for another reason are not included. They are still owed.'],
  [60, 40, 'Payments that failed for another reason are not included. They are still owed.'],
])('of %i that failed for another reason, and %i for lack of funds: %s', (others, poor, text) => {
  const failed = (failureReason: string, length: number) => Array.from({ length }, () => ({ failureReason }));
  expect(notCountedText([...failed('payee_missing', others), ...failed('insufficient_funds', poor)])).toBe(text);
});
