import { expect, it } from 'vitest';
import { problemsOfTerms, type ContractTerms } from './terms.js';

const terms: ContractTerms = {
  ...{ currency: 'EUR', rate: '50.00', paymentDueDays: 14 },
  ...{ autoPayEnabled: true, timesheetApprovalRequired: true, autoApproveAfterDays: 7 },
};

it('accepts valid terms', () => {
  expect(problemsOfTerms(terms)).toEqual([]);
  expect(problemsOfTerms({ ...terms, rate: null, autoApproveAfterDays: null })).toEqual([]);
  expect(problemsOfTerms({ ...terms, paymentDueDays: 0, autoApproveAfterDays: 1 })).toEqual([]);
});

it.each<[Partial<ContractTerms>, string[]]>([
  [{ currency: 'XXZ' }, ['rate unknown_currency']],
  [{ rate: '-1' }, ['rate out_of_range']],
  [{ rate: '1'.repeat(40) }, ['rate out_of_range']],
  [{ paymentDueDays: -1 }, ['paymentDueDays out_of_range']],
  [{ paymentDueDays: 3651 }, ['paymentDueDays implausible']],
  [{ autoApproveAfterDays: 0 }, ['autoApproveAfterDays out_of_range']],
  [{ currency: 'XXZ', paymentDueDays: -1 }, ['rate unknown_currency', 'paymentDueDays out_of_range']],
])('problems of the terms %j: %j', (changed, problems) => {
  expect(problemsOfTerms({ ...terms, ...changed }).map(({ path, code }) => `${path} ${code}`)).toEqual(problems);
});
