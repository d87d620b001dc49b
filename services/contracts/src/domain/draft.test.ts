import { CONTRACT_DRAFT } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import {
  milestoneRevisions,
  changeDraft,
  differences,
  toEventMilestones,
  toStoredDraft,
  type StoredDraft,
  missingRequiredFields,
} from './draft.js';
import { changeTerms, termsOf } from './terms.js';

const ids = (): (() => string) => {
  let made = 0;
  return () => `id-${++made}`;
};

describe('storing a draft', () => {
  it('fills in defaults only inside objects that were sent', () => {
    expect(toStoredDraft({ title: 't' }, ids())).toEqual({ title: 't', milestones: [] });
    expect(toStoredDraft({ title: 't', compensation: { type: 'hourly' }, invoicingSettings: {} }, ids())).toEqual({
      title: 't',
      milestones: [],
      compensation: { type: 'hourly', currency: 'USD' },
      invoicingSettings: { paymentDueDays: 0, timesheetApprovalRequired: true, autoPayEnabled: true },
    });
  });

  it('gives milestones ids, the greatest to the first one', () => {
    const { milestones } = toStoredDraft(
      { title: 't', milestones: [1, 2].map((n) => ({ title: `${n}`, amount: '1' })) },
      ids(),
    );
    expect(milestones.map(({ id, title }) => [id, title])).toEqual([
      ['id-2', '1'],
      ['id-1', '2'],
    ]);
  });
});

describe('changing a draft', () => {
  const before = toStoredDraft(
    {
      title: 'before',
      description: 'd',
      compensation: { type: 'hourly', currency: 'EUR', rate: '1' },
      milestones: [{ title: 'first', amount: '1' }],
    },
    ids(),
  );

  it('keeps omitted fields and clears on null, including inside objects', () => {
    const after = changeDraft(before, { description: null, compensation: { type: 'retainer', rate: null } }, ids());
    expect(after).toMatchObject({ title: 'before', description: null });
    expect(after.compensation).toEqual({ type: 'retainer', currency: 'EUR', rate: null });
    expect(changeDraft(before, { compensation: null }, ids()).compensation).toBeNull();
  });

  it('names required fields that a change has cleared', () => {
    const correctedMilestones = [{ id: before.milestones[0]!.id, title: null }];
    const changes = {
      title: null,
      benefits: { timeOffDays: 1 },
      creatorTerms: { usageNote: 'n' },
      correctedMilestones,
    };
    const after = changeDraft(before, changes, ids());
    expect(missingRequiredFields(CONTRACT_DRAFT.fields, after).map(({ path }) => path)).toEqual([
      'title',
      'milestones[0].title',
      'creatorTerms.exclusivity',
      'creatorTerms.ipOwnership',
    ]);
  });

  it('corrects milestones; omitted fields keep their value', () => {
    const { id } = before.milestones[0]!;
    const correction = { id, amount: '2', description: 'more', dueDate: undefined };
    expect(changeDraft(before, { correctedMilestones: [correction] }, ids()).milestones).toEqual([
      { id, title: 'first', amount: '2', description: 'more', agreement: 1 },
    ]);
  });

  it('corrects, adds and removes deliverables; the others keep their ids', () => {
    const post = { platform: 'x', format: 'post', amount: '1' } as const;
    const briefs = (draft: StoredDraft) => draft.creatorDeliverables?.map(({ id, brief }) => `${id} ${brief}`);
    const creatorDeliverables = [
      { ...post, brief: 'a', sortOrder: 9 },
      { ...post, brief: 'b', sortOrder: 3 },
      { ...post, brief: 'c', sortOrder: 5 },
    ];
    const three = toStoredDraft({ title: 't', creatorDeliverables }, ids());
    expect(briefs(three)).toEqual(['id-1 a', 'id-3 b', 'id-2 c']);
    const after = changeDraft(
      three,
      {
        correctedDeliverables: [{ id: 'id-2', brief: 'C' }],
        furtherDeliverables: [{ ...post, brief: 'd' }],
        removedDeliverables: ['id-3'],
      },
      () => 'new',
    );
    expect(briefs(after)).toEqual(['id-1 a', 'id-2 C', 'new d']);
    expect(after.creatorDeliverables?.[1]).toEqual({ ...post, id: 'id-2', brief: 'C', sortOrder: 5 });
  });

  it('a new currency makes a new revision of every milestone, a correction only of those named', () => {
    const two = toStoredDraft({ title: 't', milestones: [1, 2].map((n) => ({ title: `${n}`, amount: '1' })) }, ids());
    const correction = { id: two.milestones[1]!.id, title: 'corrected' };
    const titles = (changed: object) =>
      changeDraft(two, changed, ids()).milestones.map(({ title, agreement }) => [title, agreement]);
    expect(titles({ correctedMilestones: [correction] })).toEqual([
      ['1', undefined],
      ['corrected', 1],
    ]);
    expect(titles({ compensation: { type: 'milestone', currency: 'EUR' }, correctedMilestones: [correction] })).toEqual(
      [
        ['1', 1],
        ['corrected', 1],
      ],
    );
    expect(titles({ compensation: { type: 'milestone', currency: 'USD' } })).toEqual([
      ['1', undefined],
      ['2', undefined],
    ]);
  });

  it('among added milestones, the first in order gets the greatest id', () => {
    const added = [3, 2].map((sortOrder) => ({ title: `${sortOrder}`, amount: '1', sortOrder }));
    const { milestones } = changeDraft(before, { furtherMilestones: added }, ids());
    expect(milestones.slice(1).map(({ title, id }) => [title, id])).toEqual([
      ['3', 'id-1'],
      ['2', 'id-2'],
    ]);
  });

  it('adds milestones and keeps the existing ones', () => {
    const after = changeDraft(before, { furtherMilestones: [{ title: 'second', amount: '2' }] }, () => 'new');
    expect(after.milestones).toEqual([...before.milestones, { id: 'new', title: 'second', amount: '2' }]);
  });

  it('changing a draft to its current values gives no differences', () => {
    expect(differences(before, changeDraft(before, { title: 'before', startDate: null }, ids()))).toEqual({});
  });
});

it('lists the revision of milestones that were changed after the first agreement', () => {
  const step = { title: 'a', amount: '1' };
  const milestones = [
    { ...step, id: 'a' },
    { ...step, id: 'b', agreement: 2 },
    { ...step, id: 'c', agreement: 0 },
  ];
  expect(milestoneRevisions(milestones)).toEqual({ b: 2 });
});

it('publishes milestones in their currency, in the order sent unless sortOrder is given', () => {
  const milestones = [
    { id: 'a', title: 'a', amount: '1.5' },
    { id: 'b', title: 'b', amount: '2', sortOrder: 7, description: 'd', dueDate: '2027-01-01' },
  ];
  expect(toEventMilestones(milestones, 'EUR')).toEqual([
    {
      milestoneId: 'a',
      title: 'a',
      description: null,
      amount: { amount: '1.50', currency: 'EUR' },
      dueDate: null,
      sortOrder: 0,
    },
    {
      milestoneId: 'b',
      title: 'b',
      description: 'd',
      amount: { amount: '2.00', currency: 'EUR' },
      dueDate: '2027-01-01',
      sortOrder: 7,
    },
  ]);
});

describe('contract terms', () => {
  it('follow from the draft; a retainer serves as the rate if there is none', () => {
    expect(termsOf({ title: 't' })).toEqual({
      currency: 'USD',
      rate: null,
      paymentDueDays: 0,
      autoPayEnabled: true,
      timesheetApprovalRequired: true,
      autoApproveAfterDays: null,
    });
    expect(termsOf({ title: 't', compensation: { type: 'retainer', retainerAmount: '9' } }).rate).toBe('9');
    expect(termsOf({ title: 't', compensation: { type: 'hourly', rate: '8', retainerAmount: '9' } }).rate).toBe('8');
  });

  it('a change keeps omitted terms; null clears autoApproveAfterDays only', () => {
    const terms = { ...termsOf({ title: 't' }), rate: '1', autoApproveAfterDays: 3 };
    expect(changeTerms(terms, {})).toEqual(terms);
    expect(changeTerms(terms, { rate: '1.00' })).toEqual(terms);
    expect(changeTerms(terms, { rate: '1.01' })).toEqual({ ...terms, rate: '1.01' });
    expect(changeTerms(terms, { rate: null, autoApproveAfterDays: null, autoPayEnabled: false })).toEqual({
      ...terms,
      autoApproveAfterDays: null,
      autoPayEnabled: false,
    });
  });
});
