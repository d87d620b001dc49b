import { CONTRACT_DRAFT, type DraftFields } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { digestOf, textOfAgreement, textOfAmendment } from './agreement-text.js';
import { LABELS, UNLABELLED } from './agreement-words.js';
import { toStoredDraft } from './draft.js';

function pathsOf(fields: DraftFields, path = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const at = path + name;
    if (field.kind === 'object') return pathsOf(field.fields, `${at}.`);
    return field.kind === 'list' ? pathsOf(field.item.fields, `${at}.`) : [at];
  });
}

it('every field of a draft has a label in the text or is listed as unlabelled', () => {
  expect([...Object.keys(LABELS), ...UNLABELLED].toSorted()).toEqual(pathsOf(CONTRACT_DRAFT.fields).toSorted());
});

describe('the text of an agreement', () => {
  const draft = toStoredDraft(
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
    ...{ id: 'c', business: { name: 'Northwind\nStudio', country: 'DE' }, workerId: 'v', workerName: 'Wanda\nBetween' },
    title: 'Launch',
    ...{ employmentType: 'contractor' as const, contractType: 'contractor_milestone' as const, draft },
  };

  it('lists fields in order, with amounts as given and lines of longer values indented', () => {
    expect(textOfAgreement(of)).toBe(`CONTRACT
Launch

Between Northwind Studio (Germany)
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

  it('any changed value gives another digest', () => {
    const changed = [
      { ...of, title: 'Lunch' },
      { ...of, workerName: 'Wilma' },
      { ...of, business: { name: 'Northwind Studio', country: 'AT' } },
      { ...of, draft: { ...draft, specialClauses: 'None.' } },
      { ...of, draft: { ...draft, milestones: draft.milestones.slice(1) } },
    ].map((other) => digestOf(textOfAgreement(other)));
    expect(new Set([digestOf(textOfAgreement(of)), ...changed]).size).toBe(6);
  });
});

it('the text of an agreement has the terms of payment also where the draft leaves them at their defaults', () => {
  const said = {
    title: 'Hours',
    contractType: 'contractor_payg',
    compensation: { type: 'hourly', rate: '50' },
  } as const;
  const text = textOfAgreement({
    ...{ id: 'c', business: { name: 'Northwind', country: 'DE' }, workerId: null, workerName: null, title: 'Hours' },
    ...{ employmentType: 'contractor', contractType: 'contractor_payg', draft: toStoredDraft(said, () => 'id') },
  });
  expect(text).toContain(
    [
      'INVOICES AND PAYMENT',
      'Days from the end of a period to its payment: 0',
      'Timesheets need approval: yes',
      'Payments are made automatically when due: yes',
    ].join('\n'),
  );
});

describe('the text of an agreement for each kind of value', () => {
  const said = {
    title: 'All of it',
    contractType: 'contractor_creator',
    skills: ['Type\n\tscript', 'Go'],
    tools: [],
    specialClauses: ' One\r\nTwo\rThree\nFour\u2028Five\u2029Six\u0085Seven\vEight\fNine ',
    department: '',
    compensation: { type: 'salary', currency: 'EUR', signingBonus: '5' },
    invoicingSettings: { timesheetApprovalRequired: false, autoPayEnabled: true },
    benefits: {},
    creatorTerms: { exclusivity: 'fixed_term', ipOwnership: 'creator', exclusivityEndDate: null },
    creatorDeliverables: [{ platform: 'x', format: 'post', brief: 'One\nTwo', amount: '1' }],
  } as unknown as Parameters<typeof toStoredDraft>[0];
  const text = textOfAgreement({
    ...{
      id: 'c',
      business: { name: 'Northwind', country: 'DE' },
      workerId: null,
      workerName: null,
      title: '  All \n of it ',
    },
    ...{ employmentType: 'contractor', contractType: 'contractor_creator' },
    draft: toStoredDraft(said, () => 'id'),
  });

  it.each([
    'CONTRACT\nAll of it\n\n',
    'and a worker who is not named yet.',
    '\nSkills: Type script, Go\n',
    `\nSpecial clauses: ${['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'].join('\n    ')}\n`,
    '\nPaid: as a salary\nCurrency: EUR\nSigning bonus: 5 EUR\n',
    '\nTimesheets need approval: no\n',
    '\nPayments are made automatically when due: yes\n',
    '\nExclusivity: fixed term\n',
    '\n1. Platform: x\n   Format: post\n   What is to be made: One\n       Two\n   Amount: 1 EUR\n',
  ])('contains %j', (part) => {
    expect(text).toContain(part);
  });

  it('omits headings and labels of empty fields', () => {
    expect(text).not.toMatch(/BENEFITS|MILESTONES|Tools|Department|Exclusive until/);
  });
});

describe('the text of an amendment', () => {
  const before = {
    ...{ currency: 'EUR', rate: '50.00', paymentDueDays: 14 },
    ...{ autoPayEnabled: true, timesheetApprovalRequired: true, autoApproveAfterDays: 7 },
  };
  const of = { number: 2, contract: { id: 'c', title: 'Launch\n2', digest: 'd1' }, holdsFrom: '2027-03-01', before };

  it('lists each changed term with its former value', () => {
    const after = { ...before, rate: '60', autoPayEnabled: false, autoApproveAfterDays: null };
    expect(textOfAmendment({ ...of, after })).toBe(`AMENDMENT 2
to the contract Launch 2 (c)
whose text has the SHA-256 digest d1

Holds from 2027-03-01 for all work that is not approved by then.

Rate: 60 EUR (until then 50.00 EUR)
Payments are made automatically when due: no (until then yes)
Days until a submitted timesheet is approved automatically: never (until then 7)`);
  });

  it('omits a missing digest of the contract, and says "none" for a missing rate', () => {
    const contract = { ...of.contract, digest: null };
    const text = textOfAmendment({ ...of, contract, before: { ...before, rate: null }, after: before });
    expect(text).toContain('(c)\n\nHolds');
    expect(text).toContain('Rate: 50.00 EUR (until then none)');
  });
});
