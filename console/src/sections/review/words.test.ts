import { expect, it } from 'vitest';
import { waitingText } from './words.js';

it.each([
  [0, '', 'Nothing to review.'],
  // Timesheets may wait all the same.
  [0, 'milestone', 'No milestone waits for a review.'],
  [1, 'timesheet', '1 piece of work waits for a review.'],
  [100, '', '99+ pieces of work wait for a review.'],
] as const)('%i of the kind "%s" that wait: %s', (count, kind, text) => {
  expect(waitingText(count, kind)).toBe(text);
});
