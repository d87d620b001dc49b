import type { ContractType } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import {
  problemsOfDates,
  implausibleValues,
  unpayableAmounts,
  misleadingTexts,
  missingFields,
  completionProblems,
  toCompletionProblem,
} from './completion.js';
import type { StoredDraft } from './draft.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const rate = { compensation: { type: 'hourly', rate: '10' } } as const;
const creatorTerms = { exclusivity: 'none', ipOwnership: 'creator' } as const;
const creatorDeliverables = [{ platform: 'x', format: 'post', brief: 'b', amount: '1' } as const].map((each) => ({
  ...each,
  id: ID,
}));

function missing(contractType: ContractType, draft: Partial<StoredDraft>, known: object = {}): string[] {
  const whole: StoredDraft = { title: 't', milestones: [], ...draft };
  const said = { contractType, workerId: ID, startDate: '2027-01-01', draft: whole, ...known };
  return missingFields(said).map(({ path, code }) => `${path} ${code}`);
}

it('a text that is shown in another order than it is stored keeps a draft from verification, an invisible title too', () => {
  const draft: StoredDraft = { title: 'Logo, \u202eDSU 000,9', milestones: [{ id: ID, title: 'm', amount: '1' }] };
  expect(misleadingTexts(draft)).toEqual([{ path: 'title', code: 'invalid_characters' }]);
  const clauses = { title: 't', specialClauses: 'The fee is \u2067000,9\u2069 EUR.', milestones: [] };
  expect(misleadingTexts(clauses)).toEqual([{ path: 'specialClauses', code: 'invalid_characters' }]);
  expect(misleadingTexts({ title: '\u200b ', milestones: [] })).toEqual([{ path: 'title', code: 'invisible' }]);
  expect(misleadingTexts({ title: 'عقد تصميم', milestones: [] })).toEqual([]);
  for (const problem of misleadingTexts(draft))
    expect(toCompletionProblem(problem).message).toMatch(/ has characters /);
});

describe('completion problems of a draft', () => {
  it.each<[ContractType, Partial<StoredDraft>, string[]]>([
    ['contractor_payg', {}, ['compensation.rate required']],
    ['contractor_payg', { compensation: { type: 'retainer', retainerAmount: '1' } }, ['compensation.rate required']],
    ['contractor_payg', rate, []],
    ['contractor_fixed', {}, ['compensation.rate required']],
    ['contractor_fixed', rate, []],
    ['contractor_fixed', { compensation: { type: 'retainer', retainerAmount: '1' } }, []],
    ['contractor_fixed', { compensation: { type: 'hourly', retainerAmount: '1' } }, ['compensation.rate required']],
    ['contractor_milestone', {}, ['milestones required']],
    ['contractor_milestone', { milestones: [{ id: ID, title: 'm', amount: '1' }] }, []],
    ['contractor_creator', {}, ['creatorTerms required', 'creatorDeliverables required']],
    ['contractor_creator', { creatorTerms, creatorDeliverables: [] }, ['creatorDeliverables required']],
    ['contractor_creator', { creatorTerms, creatorDeliverables }, []],
    ['employment_at_will', {}, ['countryOfEmployment required', 'compensation.annualSalary required']],
    ['employment_at_will', { countryOfEmployment: 'NL' }, ['compensation.annualSalary required']],
    ['employment_at_will', { countryOfEmployment: 'NL', compensation: { type: 'salary', annualSalary: '60000' } }, []],
    [
      'employment_at_will',
      { countryOfEmployment: 'NL', compensation: { type: 'hourly' } },
      ['compensation.rate required'],
    ],
  ])('of type %s with %j: %j', (type, draft, expected) => {
    expect(missing(type, draft)).toEqual(expected);
  });

  it('lists all problems at once', () => {
    const dates = { startDate: '2027-02-01', endDate: '2027-01-01' };
    expect(missing('contractor_payg', {}, { workerId: null, startDate: null })).toEqual([
      'worker required',
      'startDate required',
      'compensation.rate required',
    ]);
    expect(missing('contractor_payg', { ...rate, ...dates }, { workerId: null })).toEqual([
      'worker required',
      'endDate before_start_date',
    ]);
  });
});

it.each([
  [{ startDate: '2027-02-01', endDate: '2027-02-01', terminationDate: '2027-02-01' }, []],
  [{ endDate: '2027-01-31' }, []],
  [{ startDate: '2027-02-01', endDate: '2027-01-31' }, ['endDate before_start_date']],
  [
    { startDate: '2027-02-01', endDate: '2027-01-31', terminationDate: '2027-01-30' },
    ['endDate before_start_date', 'terminationDate before_start_date'],
  ],
  [{ endDate: '2027-01-31', terminationDate: '2027-02-01' }, ['terminationDate after_end_date']],
])('%j has contradictory dates: %j', (dates, problems) => {
  expect(problemsOfDates(dates).map(({ path, code }) => `${path} ${code}`)).toEqual(problems);
});

it.each<[object, string | null, string[]]>([
  [{}, '2027-01-01', []],
  [{ countryOfEmployment: 'NL', governingCountry: 'BR', noticePeriodDays: 3650 }, '1950-01-01', []],
  [{ countryOfEmployment: 'QQ', governingCountry: 'nl' }, null, ['countryOfEmployment', 'governingCountry']],
  [{ noticePeriodDays: 99_999 }, '1900-01-01', ['startDate', 'noticePeriodDays']],
  [{ invoicingSettings: { paymentDueDays: 3650 } }, null, []],
  [{ invoicingSettings: { paymentDueDays: 3651 } }, null, ['invoicingSettings.paymentDueDays']],
])('implausible values in %j starting on %s: %j', (said, startDate, paths) => {
  const draft: StoredDraft = { title: 't', milestones: [], ...said };
  expect(implausibleValues({ startDate, draft }).map(({ path }) => path)).toEqual(paths);
});

describe('unpayable amounts of a draft', () => {
  const unpayable = (draft: object): string[] =>
    unpayableAmounts({ title: 't', milestones: [], ...draft }).map(({ path, code }) => `${path} ${code}`);
  const step = (amount: string) => ({ id: ID, title: 'm', amount });

  it.each<[object, string[]]>([
    [{}, []],
    [{ ...rate, milestones: [step('0.01')] }, []],
    // A rate may be finer than the currency.
    [{ compensation: { type: 'hourly', rate: '0.001' } }, []],
    [{ milestones: [step('1'), step('0.001')] }, ['milestones[1].amount too_precise']],
    [{ compensation: { type: 'salary', signingBonus: '1e99' } }, ['compensation.signingBonus out_of_range']],
    [
      { compensation: { type: 'hourly', currency: 'XXZ', rate: '1' }, milestones: [step('1')] },
      [
        'compensation.currency unknown_currency',
        'compensation.rate unknown_currency',
        'milestones[0].amount unknown_currency',
      ],
    ],
  ])('%j: %j', (draft, expected) => {
    expect(unpayable(draft)).toEqual(expected);
  });

  it('lists unpayable amounts next to missing fields', () => {
    const draft = { title: 't', milestones: [step('0.001')] };
    const all = completionProblems({ contractType: 'contractor_milestone', workerId: null, startDate: null, draft });
    expect(all.map(({ path }) => path)).toEqual(['worker', 'startDate', 'milestones[0].amount']);
  });
});

it.each([
  ['worker', 'required', 'Choose who does the work.'],
  ['compensation.rate', 'required', /^Enter what the work is paid/],
  ['milestones', 'required', 'Add at least one milestone.'],
  ['governingCountry', 'unknown_country', 'Law of the country names no country.'],
  ['startDate', 'implausible', 'First day cannot be meant: look at it again.'],
  ['terminationDate', 'after_end_date', 'Ends on lies after the last day.'],
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
