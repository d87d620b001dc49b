import type { Explanation } from './explanation.js';
import { balances, business, payment } from './samples.js';

const paid = {
  status: 'completed',
  processedAt: '2026-11-14T00:00:01.730118Z',
  completedAt: '2026-11-14T00:00:09.042655Z',
  updatedAt: '2026-11-14T00:00:09.042655Z',
};

export const moneyOperations = {
  listPayments: {
    tag: 'Payments',
    description: 'Lists payments, newest first; with `updatedSince`, oldest change first.',
    answer: 'A page of payments.',
    answers: { page: { summary: 'The last page', value: { data: [payment], hasMore: false, nextCursor: null } } },
  },
  getPayment: {
    tag: 'Payments',
    description: 'Gets one payment: follow the `paymentId` of approved work to see whether it has been paid.',
    answer: 'The payment.',
    answers: {
      pending: { summary: 'Not due yet', value: payment },
      completed: { summary: 'The worker was paid', value: { ...payment, ...paid } },
      failed: {
        summary: 'It did not work out',
        value: { ...payment, ...paid, status: 'failed', completedAt: null, failureReason: 'insufficient_funds' },
      },
    },
  },
  getBalances: {
    tag: 'Workspace',
    description:
      'Gets what can be spent and what is on its way, by currency. When it cannot be read the answer is 503: then it is unknown, and not zero.',
    answer: 'The balances.',
    answers: { balances: { summary: 'Money in two currencies', value: balances } },
  },
  getBusiness: {
    tag: 'Workspace',
    description: 'Gets the workspace that the credential belongs to.',
    answer: 'The business.',
    answers: { business: { summary: 'A verified business', value: business } },
  },
} as const satisfies Record<string, Explanation>;
