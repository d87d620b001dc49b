import type { Explanation } from './explanation.js';
import { milestone } from './samples.js';

const after = { updatedAt: '2026-11-06T08:12:59.661307Z', version: 'b0KtR7yEj3MvLs6nWcD9Xg' };

export const milestoneOperations = {
  listMilestones: {
    tag: 'Milestones',
    description:
      'Lists the milestones of one contract, newest first; those of one draft by `sortOrder`, then as they were sent. There is no list over all contracts, and no `updatedSince`: list contracts, and scan those that matter.',
    answer: 'A page of milestones.',
    answers: { page: { summary: 'The last page', value: { data: [milestone], hasMore: false, nextCursor: null } } },
  },
  getMilestone: {
    tag: 'Milestones',
    description: 'Gets one milestone, with the `version` to send back when it is approved or rejected.',
    answer: 'The milestone.',
    answers: { submitted: { summary: 'Waiting for review', value: milestone } },
  },
  approveMilestone: {
    tag: 'Milestones',
    description:
      'Approves submitted work and creates its payment, whose processing is attempted at once. Approved is not paid: follow `paymentId`.',
    answer: 'The approved milestone.',
    requests: { reviewed: { summary: 'The version that was reviewed', value: { expectedVersion: milestone.version } } },
    answers: {
      approved: {
        summary: 'Approved, with its payment',
        value: {
          ...milestone,
          ...after,
          status: 'approved',
          paymentDate: '2026-11-06',
          paymentId: '019a9a0c-73be-7c15-9d61-84f2e0a5b30a',
        },
      },
    },
  },
  rejectMilestone: {
    tag: 'Milestones',
    description: 'Rejects submitted work with a reason. It can be submitted again, with a new version.',
    answer: 'The rejected milestone.',
    requests: {
      reviewed: {
        summary: 'The version that was reviewed, and why not',
        value: { expectedVersion: milestone.version, reason: 'Frames 9 to 12 are missing.' },
      },
    },
    answers: { rejected: { summary: 'Rejected', value: { ...milestone, ...after, status: 'rejected' } } },
  },
} as const satisfies Record<string, Explanation>;
