import { expect, it } from 'vitest';
import { actionText, factTexts } from './words.js';

const fact = (name: string, to: string | null, from: string | null = null) => ({ name, from, to });

it.each([
  [[fact('role', 'admin', 'member')], ['Role: member → admin']],
  [[fact('name', null, 'Iris')], ['Name: Iris → nothing']],
  [[fact('startDate', '2027-03-01')], ['Starts: 1 Mar 2027']],
  [[fact('gross', '1234567.50 EUR')], ['Amount: 1,234,567.50 EUR']],
  [
    [fact('total', '3291.75', '1000.00'), fact('currency', 'EUR'), fact('title', 'Logo')],
    ['Total: 1,000.00 EUR → 3,291.75 EUR', 'Title: Logo'],
  ],
  // Text that people wrote is unchanged.
  [
    [fact('reason', '2027-03-01 and 1000 EUR'), fact('title', '5000 EUR')],
    ['Reason: 2027-03-01 and 1000 EUR', 'Title: 5000 EUR'],
  ],
  [
    [fact('title', '2027-13-45 Logo', '2027-03-01 Logo'), fact('name', '2027-99-01')],
    ['Title: 2027-03-01 Logo → 2027-13-45 Logo', 'Name: 2027-99-01'],
  ],
  [[fact('expiresAt', '2027-03-01T09:30:00.000000Z')], ['Until: 1 Mar 2027']],
])('%j is shown as %j', (facts, texts) => {
  expect(factTexts({ facts })).toEqual(texts);
});

const mila = { worker: 'Mila Moreau', what: '3 – 9 Nov 2026' };

it.each([
  ['timesheet.approved', mila, 'Approved the timesheet of Mila Moreau, 3 – 9 Nov 2026'],
  ['timesheet.resubmitted', mila, 'Submitted the timesheet of Mila Moreau again, 3 – 9 Nov 2026'],
  ['payment.completed', mila, 'Paid Mila Moreau, 3 – 9 Nov 2026'],
  ['payment.created', mila, 'Created a payment to Mila Moreau, 3 – 9 Nov 2026'],
  ['payment.failed', mila, 'Could not pay Mila Moreau, 3 – 9 Nov 2026'],
  ['contract.terms-proposed', { worker: 'Mila', what: 'Logo' }, 'Proposed new terms to Mila, Logo'],
  ['contract.worker-assigned', { worker: 'Mila', what: 'Logo' }, 'Chose Mila, Logo'],
  ['contract.returned-to-draft', { worker: 'Mila', what: 'Logo' }, 'Sent the contract of Mila back to draft, Logo'],
  ['contract.draft-created', { worker: null, what: 'Logo' }, 'Drafted a contract, Logo'],
  ['contract.signed', undefined, 'Signed the contract'],
  ['payment.completed', undefined, 'Paid the worker'],
  ['payment.created', { worker: '$& {of}', what: null }, 'Created a payment to $& {of}'],
  ['worker.registered', undefined, 'Added a worker'],
])('%s of %j reads as %j', (action, subject, text) => {
  expect(actionText(action, subject)).toBe(text);
});
