import { expect, it } from 'vitest';
import { mayPay } from './actions.js';
import type { Payment } from './operations.js';
import { HOLDS, paymentStatusText } from './words.js';

const euros = (amount: string, currency = 'EUR') => ({ amount, currency });
const attempt = { number: 1, payoutMethod: 'bank_transfer' as const, createdAt: '', updatedAt: '' };
const payment: Payment = {
  ...{ id: '', grossAmount: euros('10.00'), netAmount: euros('10.00'), scheduledDate: null },
  status: 'pending',
  ...{ autoPayEnabled: true, failureReason: null, createdAt: '', completedAt: null, processedAt: null, updatedAt: '' },
  contract: { id: '', title: '', worker: { id: null, name: null } },
  ...{
    timesheetId: null,
    milestoneId: null,
    obstacle: null,
    heldBy: null,
    waitsUntil: null,
    deductions: [],
    payoutAttempts: [],
  },
};
const words = (change: Partial<Payment>): string => paymentStatusText({ ...payment, ...change }, '2027-01-01');

function paid(amount: string, currency = 'EUR'): string {
  const settled = {
    ...attempt,
    status: 'settled' as const,
    amount: euros('10.00'),
    paidAmount: euros(amount, currency),
  };
  return words({ status: 'completed', payoutAttempts: [settled] });
}

it('a payment whose provider paid what was ordered has been paid', () => {
  expect(paid('10.00')).toBe('The worker has been paid.');
  expect(paid('10')).toBe('The worker has been paid.');
});

it.each([
  ['8.00', 'EUR', /paid the worker .*8\.00.* instead of .*10\.00/],
  ['10.00', 'USD', /paid the worker .*10\.00.* instead of .*10\.00/],
])('a payment whose provider paid %s %s says so, and who settles the difference', (amount, currency, both) => {
  expect(paid(amount, currency)).toMatch(both);
  expect(paid(amount, currency)).toContain(
    'Settle the difference with the worker, and tell us: Money shows it until then.',
  );
});

it('a held payment says that nothing is sent, and cannot be paid by hand', () => {
  expect(mayPay(payment)).toBe(true);
  expect(mayPay({ ...payment, heldBy: 'unclaimed_order' })).toBe(false);
  expect(words({ heldBy: 'unclaimed_order' })).toContain('This payment is held. Nothing is sent');
  expect(words({ status: 'processing', heldBy: 'payout_alarm' })).toContain('Nothing is sent again');
});

it('a payment to details on hold says that it waits, and cannot be paid by hand', () => {
  const waiting = { waitsUntil: '2027-01-02T00:00:00.000000Z' };
  expect(mayPay({ ...payment, ...waiting })).toBe(false);
  expect(words(waiting)).toBe('This payment waits, because the worker’s payout details are on hold.');
});

it.each(Object.entries(HOLDS))('%s says who resolves it', (_, text) => {
  expect(text).toContain('two people of our finance team');
});
