import type { OperationName } from '@payroll/public-api';
import * as sample from './samples.js';

/** A value as it could be sent or answered. Tests hold every one of them against its shape. */
export interface Example {
  summary: string;
  value: unknown;
}

/** The prose of an operation in the OpenAPI document. */
export interface Explanation {
  tag: Tag;
  description: string;
  /** The meaning of a success. */
  answer: string;
  requests?: Readonly<Record<string, Example>>;
  answers: Readonly<Record<string, Example>>;
}

export const TAGS = {
  Contracts: 'Agreements with workers: created as drafts here, completed and signed in the application.',
  Timesheets: 'Work of a period, handed in for review. Its approval creates a payment that is due later.',
  Milestones: 'Pieces of work for a fixed amount. An approval creates a payment that is processed at once.',
  Payments: 'What approvals lead to, and how far it is.',
  Workspace: 'The business itself, and its money.',
  Document: 'This document.',
} as const;
type Tag = keyof typeof TAGS;

const decidedTimesheet = { updatedAt: '2026-11-03T10:04:18.220563Z', version: 'f6UoC2hSg8IeQd1pKxN3Jw' };
const decidedMilestone = { updatedAt: '2026-11-06T08:12:59.661307Z', version: 'b0KtR7yEj3MvLs6nWcD9Xg' };
const paid = {
  status: 'completed',
  processedAt: '2026-11-14T00:00:01.730118Z',
  completedAt: '2026-11-14T00:00:09.042655Z',
  updatedAt: '2026-11-14T00:00:09.042655Z',
};

/** Every operation explained: a new one does not compile without. */
export const explanations: Readonly<Record<OperationName, Explanation>> = {
  createContract: {
    tag: 'Contracts',
    description:
      'Creates a contract in status `draft`. It is completed, reviewed and signed in the application. Amounts of milestones and deliverables are in the currency of the compensation, else in USD. An employee contract needs `countryOfEmployment`; employment and contract type must agree.',
    answer: 'The draft.',
    requests: {
      short: { summary: 'As little as it takes', value: sample.shortDraft },
      usual: { summary: 'Who works as what, and from when', value: sample.usualDraft },
      hourly: { summary: 'A contractor paid by the hour', value: sample.paidDraft },
      employee: { summary: 'An employee', value: sample.employeeDraft },
      milestones: { summary: 'Work paid by milestones', value: sample.milestoneDraft },
      creator: { summary: 'A creator', value: sample.creatorDraft },
    },
    answers: { draft: { summary: 'A draft', value: sample.draft } },
  },
  listContracts: {
    tag: 'Contracts',
    description:
      'Lists contracts, newest first; with `updatedSince`, oldest change first. Deleted ones only with `includeDeleted=true`: they have `deletedAt`. A reference that this principal has not used lists nothing; that of a deleted one lists its tombstone, with `includeDeleted=true`.',
    answer: 'A page of contracts.',
    answers: {
      page: {
        summary: 'A page, and there is more',
        value: { data: [sample.contract], hasMore: true, nextCursor: sample.CURSOR },
      },
      none: { summary: 'Nothing that fits', value: { data: [], hasMore: false, nextCursor: null } },
    },
  },
  getContract: {
    tag: 'Contracts',
    description: 'Gets one contract, with its creator part. A deleted one is still found, and has `deletedAt`.',
    answer: 'The contract.',
    answers: {
      creator: { summary: 'A contract with a creator', value: sample.creatorContract },
      other: { summary: 'Any other contract', value: { ...sample.contract, creator: null } },
    },
  },
  listTimesheets: {
    tag: 'Timesheets',
    description: 'Lists timesheets, newest first; with `updatedSince`, oldest change first.',
    answer: 'A page of timesheets.',
    answers: lastPage(sample.timesheet),
  },
  getTimesheet: {
    tag: 'Timesheets',
    description: 'Gets one timesheet, with the `version` to send back when it is approved or rejected.',
    answer: 'The timesheet.',
    answers: { submitted: { summary: 'Waiting for review', value: sample.timesheet } },
  },
  approveTimesheet: {
    tag: 'Timesheets',
    description:
      'Approves submitted work and creates its payment, which is due on `paymentScheduledDate` and is then processed if `autoPayEnabled`. Approved is not paid: follow `paymentId`.',
    answer: 'The approved timesheet.',
    requests: reviewed(sample.timesheet),
    answers: {
      approved: {
        summary: 'Approved, with its payment',
        value: { ...sample.timesheet, ...decidedTimesheet, status: 'approved', paymentId: sample.PAYMENT_ID },
      },
    },
  },
  rejectTimesheet: {
    tag: 'Timesheets',
    description: 'Rejects submitted work with a reason. It can be corrected and submitted again, with a new version.',
    answer: 'The rejected timesheet.',
    requests: reviewed(sample.timesheet, 'The 26th was a holiday.'),
    answers: {
      rejected: { summary: 'Rejected', value: { ...sample.timesheet, ...decidedTimesheet, status: 'rejected' } },
    },
  },
  listMilestones: {
    tag: 'Milestones',
    description:
      'Lists the milestones of one contract, newest first; those of one draft by the `sortOrder` with which they were created, then as they were sent. There is no list over all contracts, and no `updatedSince`: list contracts, and scan those that matter.',
    answer: 'A page of milestones.',
    answers: lastPage(sample.milestone),
  },
  getMilestone: {
    tag: 'Milestones',
    description: 'Gets one milestone, with the `version` to send back when it is approved or rejected.',
    answer: 'The milestone.',
    answers: { submitted: { summary: 'Waiting for review', value: sample.milestone } },
  },
  approveMilestone: {
    tag: 'Milestones',
    description:
      'Approves submitted work and creates its payment, whose processing is attempted at once. Approved is not paid: follow `paymentId`.',
    answer: 'The approved milestone.',
    requests: reviewed(sample.milestone),
    answers: {
      approved: {
        summary: 'Approved, with its payment',
        value: {
          ...sample.milestone,
          ...decidedMilestone,
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
    requests: reviewed(sample.milestone, 'Frames 9 to 12 are missing.'),
    answers: {
      rejected: { summary: 'Rejected', value: { ...sample.milestone, ...decidedMilestone, status: 'rejected' } },
    },
  },
  listPayments: {
    tag: 'Payments',
    description: 'Lists payments, newest first; with `updatedSince`, oldest change first.',
    answer: 'A page of payments.',
    answers: lastPage(sample.payment),
  },
  getPayment: {
    tag: 'Payments',
    description: 'Gets one payment: follow the `paymentId` of approved work to see whether it has been paid.',
    answer: 'The payment.',
    answers: {
      pending: { summary: 'Not due yet', value: sample.payment },
      completed: { summary: 'The worker was paid', value: { ...sample.payment, ...paid } },
      failed: {
        summary: 'It did not work out',
        value: { ...sample.payment, ...paid, status: 'failed', completedAt: null, failureReason: 'insufficient_funds' },
      },
    },
  },
  getBalances: {
    tag: 'Workspace',
    description:
      'Gets what can be spent and what is on its way, by currency. When it cannot be read the answer is 503: then it is unknown, and not zero.',
    answer: 'The balances.',
    answers: { balances: { summary: 'Money in two currencies', value: sample.balances } },
  },
  getBusiness: {
    tag: 'Workspace',
    description: 'Gets the workspace that the credential belongs to.',
    answer: 'The business.',
    answers: { business: { summary: 'A verified business', value: sample.business } },
  },
};

function lastPage(value: object) {
  return { page: { summary: 'The last page', value: { data: [value], hasMore: false, nextCursor: null } } };
}

/** Request examples that approve work, or reject it with a reason. */
function reviewed({ version: expectedVersion }: { version: string }, reason?: string) {
  const summary = `The version that was reviewed${reason === undefined ? '' : ', and why not'}`;
  return { reviewed: { summary, value: { expectedVersion, ...(reason !== undefined && { reason }) } } };
}
