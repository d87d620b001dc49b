import { expect, test } from 'vitest';
import { commandSpanName, fieldSpanName } from './steps.js';

test.each([
  ['timesheet.approve', 'approve timesheet'],
  ['payment.create-for-timesheet', 'create payment for timesheet'],
  ['payout.record-answer', 'record payout answer'],
  ['contract-terms.apply', 'apply contract terms'],
  ['tell', 'tell'],
])('the command %s is called "%s"', (command, words) => {
  expect(commandSpanName(command)).toBe(words);
});

test("the span of a GraphQL field has the field's words", () => {
  expect(fieldSpanName('approveTimesheet')).toBe('approve timesheet');
  expect(fieldSpanName('timesheets')).toBe('timesheets');
});
