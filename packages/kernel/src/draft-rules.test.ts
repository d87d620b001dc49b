import { expect, it } from 'vitest';
import type { ContractDraft } from './contract-draft.js';
import { problemsOfDraft } from './draft-rules.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const WHOLE: ContractDraft = {
  title: 'Everything',
  professionalEmail: 'w@example.com',
  description: 'd'.repeat(10_000),
  employmentType: 'contractor',
  contractType: 'contractor_creator',
  countryOfEmployment: 'NL',
  startDate: '2027-01-01',
  endDate: '2027-12-31',
  terminationDate: '2027-12-31',
  noticePeriodDays: 0,
  department: 'engineering',
  seniority: 'lv3',
  employmentSubtype: 'full_time',
  specialClauses: 's'.repeat(20_000),
  serviceTypes: ['a'],
  skills: [''],
  tools: [],
  disputeResolutionMethod: 'court',
  governingCountry: 'NL',
  governingStateProvince: 'p'.repeat(100),
  workSchedule: 'Mon–Fri',
  externalReference: 'r'.repeat(128),
  compensation: {
    type: 'hourly',
    currency: 'EUR',
    rate: '0.01',
    annualSalary: '1',
    paymentFrequency: 'monthly',
    retainerAmount: '1',
    salaryUnit: 'per_hour',
    signingBonus: '0',
    probationPeriodDays: 0,
    effectiveDate: '2027-01-01',
  },
  invoicingSettings: {
    paymentMethod: 'wise',
    invoiceFrequency: 'weekly',
    cycleClosesOn: 'friday',
    paymentDueDays: 0,
    firstPaymentMethod: 'pro_rata',
    firstPaymentAmount: '1',
    firstPaymentDate: '2027-02-01',
    timesheetSubmitter: 'client',
    timesheetApprovalRequired: false,
    autoApproveAfterDays: 1,
    autoPayEnabled: false,
  },
  benefits: {
    bonusAmount: '1',
    bonusFrequency: 'annual',
    allowanceAmount: '1',
    allowanceFrequency: 'monthly',
    commissionPercentage: '100.0',
    commissionFrequency: 'quarterly',
    timeOffDays: 0,
  },
  milestones: [{ title: 'm', description: '', amount: '1', dueDate: '2027-03-01', sortOrder: 0, documentIds: [ID] }],
  creatorTerms: { exclusivity: 'none', exclusivityEndDate: null, ipOwnership: 'creator', usageNote: null },
  creatorDeliverables: [{ platform: 'x', format: 'post', brief: 'b', dueDate: null, amount: '1', sortOrder: 0 }],
};

it('accepts the whole payload of the public contract', () => expect(problemsOfDraft(WHOLE)).toEqual([]));

it('accepts a title alone', () => expect(problemsOfDraft({ title: 't' })).toEqual([]));

const compensation = (part: object): Partial<ContractDraft> => ({ compensation: { type: 'hourly', ...part } });
const invoicing = (part: object): Partial<ContractDraft> => ({ invoicingSettings: part });
const benefits = (part: object): Partial<ContractDraft> => ({ benefits: part });
const milestone = (part: object): Partial<ContractDraft> => ({
  milestones: [
    { title: 'first', amount: '1' },
    { title: 'm', amount: '1', ...part },
  ],
});
const deliverable = (part: object): Partial<ContractDraft> => ({
  creatorDeliverables: [{ platform: 'x', format: 'post', brief: 'b', amount: '1', ...part }],
});

it.each<[string, string, Partial<ContractDraft>]>([
  ['title', 'too_short', { title: '' }],
  ['title', 'too_long', { title: 't'.repeat(201) }],
  ['title', 'invalid_characters', { title: 'a\0' }],
  ['professionalEmail', 'invalid_format', { professionalEmail: 'nobody' }],
  ['description', 'too_long', { description: 'd'.repeat(10_001) }],
  ['countryOfEmployment', 'too_long', { countryOfEmployment: 'NLD' }],
  ['startDate', 'invalid_format', { startDate: '0000-01-01' }],
  ['noticePeriodDays', 'out_of_range', { noticePeriodDays: -1 }],
  ['skills', 'invalid_characters', { skills: ['fine', '\ud800'] }],
  ['externalReference', 'too_short', { externalReference: '' }],
  ['contractType', 'types_disagree', { employmentType: 'employee', contractType: 'contractor_fixed' }],
  ['countryOfEmployment', 'required', { employmentType: 'employee' }],
  ['countryOfEmployment', 'required', { contractType: 'employment_at_will' }],
  ['compensation.currency', 'invalid_format', compensation({ currency: 'eur' })],
  ['compensation.currency', 'invalid_format', compensation({ currency: 'USDC' })],
  ['compensation.rate', 'out_of_range', compensation({ rate: '0' })],
  ['compensation.rate', 'out_of_range', compensation({ rate: '-1' })],
  ['compensation.rate', 'too_long', compensation({ rate: '9'.repeat(38) })],
  ['compensation.annualSalary', 'out_of_range', compensation({ annualSalary: '0.00' })],
  ['compensation.retainerAmount', 'out_of_range', compensation({ retainerAmount: '0' })],
  ['compensation.signingBonus', 'out_of_range', compensation({ signingBonus: '-0.01' })],
  ['compensation.probationPeriodDays', 'out_of_range', compensation({ probationPeriodDays: -1 })],
  ['invoicingSettings.paymentDueDays', 'out_of_range', invoicing({ paymentDueDays: -1 })],
  ['invoicingSettings.firstPaymentAmount', 'out_of_range', invoicing({ firstPaymentAmount: '0' })],
  ['invoicingSettings.autoApproveAfterDays', 'out_of_range', invoicing({ autoApproveAfterDays: 0 })],
  ['benefits.bonusAmount', 'out_of_range', benefits({ bonusAmount: '0' })],
  ['benefits.allowanceAmount', 'out_of_range', benefits({ allowanceAmount: '0' })],
  ['benefits.commissionPercentage', 'out_of_range', benefits({ commissionPercentage: '100.0000000000000000001' })],
  ['benefits.commissionPercentage', 'out_of_range', benefits({ commissionPercentage: '-1' })],
  ['benefits.timeOffDays', 'out_of_range', benefits({ timeOffDays: -1 })],
  ['milestones[1].title', 'too_short', milestone({ title: '' })],
  ['milestones[1].amount', 'out_of_range', milestone({ amount: '0' })],
  ['milestones[1].amount', 'too_long', milestone({ amount: '9'.repeat(40) })],
  ['milestones[1].sortOrder', 'out_of_range', milestone({ sortOrder: -1 })],
  ['milestones[1].documentIds', 'invalid_format', milestone({ documentIds: ['x'] })],
  ['creatorDeliverables[0].brief', 'too_short', deliverable({ brief: '' })],
  ['creatorDeliverables[0].amount', 'out_of_range', deliverable({ amount: '0' })],
])('%s: %s', (path, code, part) => {
  expect(problemsOfDraft({ title: 't', ...part })).toEqual([{ path, code }]);
});

it.each([
  ['milestones', { title: 'm', amount: '1' }],
  ['creatorDeliverables', { platform: 'x', format: 'post', brief: 'b', amount: '1' }],
])('a draft has at most 500 %s', (list, row) => {
  const rows = (length: number) => ({ title: 't', [list]: Array.from({ length }, () => row) }) as ContractDraft;
  expect(problemsOfDraft(rows(500))).toEqual([]);
  expect(problemsOfDraft(rows(501))).toEqual([{ path: list, code: 'too_long' }]);
});

it('measures amounts in their currency: 40 digits are accepted in yen', () => {
  expect(problemsOfDraft({ title: 't', ...compensation({ currency: 'JPY', rate: '9'.repeat(40) }) })).toEqual([]);
});

it('reports all problems at once', () => {
  const draft = { title: '', ...compensation({ currency: '€', rate: '0' }), ...milestone({ amount: '-1' }) };
  expect(problemsOfDraft(draft).map(({ path }) => path)).toEqual([
    'title',
    'compensation.currency',
    'compensation.rate',
    'milestones[1].amount',
  ]);
});
