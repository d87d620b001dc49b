import type { Explanation } from './explanation.js';
import { PAYMENT_ID, timesheet, VERSION } from './samples.js';

const after = { updatedAt: '2026-11-03T10:04:18.220563Z', version: 'f6UoC2hSg8IeQd1pKxN3Jw' };

export const timesheetOperations = {
  listTimesheets: {
    tag: 'Timesheets',
    description: 'Lists timesheets, newest first; with `updatedSince`, oldest change first.',
    answer: 'A page of timesheets.',
    answers: { page: { summary: 'The last page', value: { data: [timesheet], hasMore: false, nextCursor: null } } },
  },
  getTimesheet: {
    tag: 'Timesheets',
    description: 'Gets one timesheet, with the `version` to send back when it is approved or rejected.',
    answer: 'The timesheet.',
    answers: { submitted: { summary: 'Waiting for review', value: timesheet } },
  },
  approveTimesheet: {
    tag: 'Timesheets',
    description:
      'Approves submitted work and creates its payment, which is due on `paymentScheduledDate` and is then processed if `autoPayEnabled`. Approved is not paid: follow `paymentId`.',
    answer: 'The approved timesheet.',
    requests: { reviewed: { summary: 'The version that was reviewed', value: { expectedVersion: VERSION } } },
    answers: {
      approved: {
        summary: 'Approved, with its payment',
        value: { ...timesheet, ...after, status: 'approved', paymentId: PAYMENT_ID },
      },
    },
  },
  rejectTimesheet: {
    tag: 'Timesheets',
    description: 'Rejects submitted work with a reason. It can be corrected and submitted again, with a new version.',
    answer: 'The rejected timesheet.',
    requests: {
      reviewed: {
        summary: 'The version that was reviewed, and why not',
        value: { expectedVersion: VERSION, reason: 'The 26th was a holiday.' },
      },
    },
    answers: { rejected: { summary: 'Rejected', value: { ...timesheet, ...after, status: 'rejected' } } },
  },
} as const satisfies Record<string, Explanation>;
