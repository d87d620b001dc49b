import { describe, expect, it } from 'vitest';
import { agreementOf } from './agreement.js';
import { toStoredDraft } from './draft.js';

const draftOf = (said: object) => {
  let made = 0;
  return toStoredDraft({ title: 'Launch', ...said }, () => `id-${++made}`);
};
const agreed = (said: object) => agreementOf(draftOf(said));
const creatorTerms = { exclusivity: 'fixed_term', exclusivityEndDate: '2027-12-31', ipOwnership: 'creator' } as const;
const deliverable = { platform: 'x', format: 'post', brief: 'A post', amount: '1' } as const;

it('agreementOf gives null or the default for what a draft omits', () => {
  expect(agreed({})).toMatchObject({
    ...{ title: 'Launch', employmentType: 'contractor', contractType: 'contractor_fixed' },
    ...{ startDate: null, endDate: null, terminationDate: null, rate: null, currency: 'USD', creator: null },
    ...{ paymentDueDays: 0, timesheetApprovalRequired: true, autoPayEnabled: true, autoApproveAfterDays: null },
  });
});

it('agreementOf gives the values of the draft', () => {
  const days = { startDate: '2027-01-01', endDate: '2027-06-30', terminationDate: '2027-05-31' };
  expect(agreed({ ...days, contractType: 'contractor_payg' })).toMatchObject({
    ...days,
    contractType: 'contractor_payg',
  });
});

describe('creatorOf', () => {
  it('is present for a creator contract, and whenever creator data was sent', () => {
    const { creator } = agreed({ contractType: 'contractor_creator' });
    expect(creator).toEqual({ terms: null, deliverables: [] });
    expect(agreed({ creatorTerms }).creator).not.toBeNull();
    expect(agreed({ creatorDeliverables: [deliverable] }).creator).not.toBeNull();
    expect(agreed({ creatorDeliverables: [] }).creator).toBeNull();
  });

  it('has null for omitted fields, and amounts in the currency of the draft', () => {
    const compensation = { type: 'milestone', currency: 'EUR' };
    const dated = { ...deliverable, amount: '2.50', dueDate: '2027-03-01', sortOrder: 7 };
    const { creator } = agreed({ compensation, creatorTerms, creatorDeliverables: [deliverable, dated] });
    const shown = { platform: 'x', format: 'post', brief: 'A post' };
    expect(creator).toEqual({
      terms: { ...creatorTerms, usageNote: null },
      deliverables: [
        { ...shown, id: 'id-2', dueDate: null, amount: { amount: '1.00', currency: 'EUR' }, sortOrder: 0 },
        {
          ...{ ...shown, id: 'id-1', dueDate: '2027-03-01', sortOrder: 7 },
          amount: { amount: '2.50', currency: 'EUR' },
        },
      ],
    });
    const noted = { exclusivity: 'none', ipOwnership: 'company', usageNote: 'Once' };
    expect(agreed({ creatorTerms: noted }).creator?.terms).toEqual({ ...noted, exclusivityEndDate: null });
  });
});
