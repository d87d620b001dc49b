import { CONTRACT_DRAFT, type DraftFields } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { digestOf, textOfAgreement } from './agreement-text.js';
import { LABELS, UNLABELLED } from './agreement-words.js';
import { keepDraft } from './draft.js';

function pathsOf(fields: DraftFields, path = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const at = path + name;
    if (field.kind === 'object') return pathsOf(field.fields, `${at}.`);
    return field.kind === 'list' ? pathsOf(field.item.fields, `${at}.`) : [at];
  });
}

it('every field of a draft is in the text under a label, or said not to be', () => {
  expect([...Object.keys(LABELS), ...UNLABELLED].toSorted()).toEqual(pathsOf(CONTRACT_DRAFT.fields).toSorted());
});

describe('the text of an agreement', () => {
  const draft = keepDraft(
    {
      title: 'Launch',
      contractType: 'contractor_milestone',
      startDate: '2027-01-01',
      compensation: { type: 'milestone', currency: 'EUR' },
      milestones: [
        { title: 'Second', amount: '20.00', sortOrder: 1 },
        { title: 'First', amount: '10', description: 'a\nb', sortOrder: 0 },
      ],
    },
    () => '0190a5d0-0000-7000-8000-000000000001',
  );
  const of = {
    ...{ id: 'c', workspaceId: 'w', workerId: 'v', workerName: 'Wanda\nBetween' },
    title: 'Launch',
    ...{ employmentType: 'contractor' as const, contractType: 'contractor_milestone' as const, draft },
  };

  it('reads in order, with amounts as they were given and values of several lines indented', () => {
    expect(textOfAgreement(of)).toBe(`CONTRACT
Launch

Between the business (workspace w)
and Wanda Between (worker v).

THE WORK
Employment: contractor
Kind of contract: contractor, by milestone
First day: 2027-01-01

PAY
Paid: by milestone
Currency: EUR

MILESTONES
1. Title: First
   What is to be done: a
       b
   Amount: 10 EUR

2. Title: Second
   Amount: 20.00 EUR

Contract c`);
  });

  it('has another digest for every other value', () => {
    const changed = [
      { ...of, title: 'Lunch' },
      { ...of, workerName: 'Wilma' },
      { ...of, workspaceId: 'x' },
      { ...of, draft: { ...draft, specialClauses: 'None.' } },
      { ...of, draft: { ...draft, milestones: draft.milestones.slice(1) } },
    ].map((other) => digestOf(textOfAgreement(other)));
    expect(new Set([digestOf(textOfAgreement(of)), ...changed]).size).toBe(6);
  });
});
