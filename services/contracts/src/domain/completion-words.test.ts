import { expect, it } from 'vitest';
import { toCompletionProblem } from './completion-words.js';

it.each([
  ['worker', 'required', 'Choose who does the work.'],
  ['compensation.rate', 'required', /^Enter what the work is paid/],
  ['milestones', 'required', 'Add at least one milestone.'],
  ['governingCountry', 'unknown_country', 'Law of the country names no country: enter two capitals, such as NL.'],
  ['startDate', 'implausible', 'First day cannot be meant: look at it again.'],
  ['endDate', 'before_start_date', 'Last day lies before the first day.'],
  ['milestones[12].amount', 'too_precise', 'Amount has more decimal places than its currency.'],
  ['milestones[0].amount', 'unknown_currency', 'Amount is not in a currency that is paid out.'],
  ['compensation.rate', 'out_of_range', 'Rate is more than can be paid.'],
  ['compensation.rate', 'of_another_kind', 'Rate cannot be paid like this.'],
  ['of.no.name', 'required', 'of.no.name cannot be paid like this.'],
  ['worker', 'out_of_range', 'worker is more than can be paid.'],
])('message for %s %s: %s', (path, code, message) => {
  expect(toCompletionProblem({ path, code })).toEqual({ path, code, message: expect.stringMatching(message) });
});
