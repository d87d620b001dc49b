import type { ContractType } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { problemsOfDates, whatIsMissing } from './completion.js';
import type { KeptDraft } from './draft.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const rate = { compensation: { type: 'hourly', rate: '10' } } as const;
const creatorTerms = { exclusivity: 'none', ipOwnership: 'creator' } as const;
const creatorDeliverables = [{ platform: 'x', format: 'post', brief: 'b', amount: '1' } as const];

function missing(contractType: ContractType, draft: Partial<KeptDraft>, known: object = {}): string[] {
  const whole: KeptDraft = { title: 't', milestones: [], ...draft };
  const said = { contractType, workerId: ID, startDate: '2027-01-01', draft: whole, ...known };
  return whatIsMissing(said).map(({ path, code }) => `${path} ${code}`);
}

describe('what a draft lacks', () => {
  it.each<[ContractType, Partial<KeptDraft>, string[]]>([
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
    ['employment_at_will', {}, ['countryOfEmployment required']],
    ['employment_at_will', { countryOfEmployment: 'NL' }, []],
    [
      'employment_at_will',
      { countryOfEmployment: 'NL', compensation: { type: 'hourly' } },
      ['compensation.rate required'],
    ],
  ])('of type %s that says %j: %j', (type, draft, expected) => {
    expect(missing(type, draft)).toEqual(expected);
  });

  it('is said all at once', () => {
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
  [{ startDate: '2027-02-01', endDate: '2027-02-01' }, []],
  [{ endDate: '2027-01-31' }, []],
  [{ startDate: '2027-02-01', endDate: '2027-01-31' }, ['endDate']],
  [{ startDate: '2027-02-01', endDate: '2027-01-31', terminationDate: '2027-01-30' }, ['endDate', 'terminationDate']],
])('%j contradicts itself in %j', (dates, paths) => {
  expect(problemsOfDates(dates)).toEqual(paths.map((path) => ({ path, code: 'before_start_date' })));
});
