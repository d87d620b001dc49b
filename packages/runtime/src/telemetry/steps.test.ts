import { expect, test } from 'vitest';
import { wordsOfCommand, wordsOfField } from './steps.js';

test.each([
  ['timesheet.approve', 'approve timesheet'],
  ['payment.create-for-timesheet', 'create payment for timesheet'],
  ['payout.record-answer', 'record payout answer'],
  ['contract-terms.apply', 'apply contract terms'],
  ['tell', 'tell'],
])('the command %s is called "%s"', (command, words) => {
  expect(wordsOfCommand(command)).toBe(words);
});

test("the span of a GraphQL field has the field's words", () => {
  expect(wordsOfField('approveTimesheet')).toBe('approve timesheet');
  expect(wordsOfField('timesheets')).toBe('timesheets');
});
