import { MILESTONE_STATUSES, type MilestoneStatus, PAYMENT_STATUSES, type PaymentStatus } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { changeDetails, followMilestone, milestoneAfterPayment, type MilestoneEdge, readDetails } from './milestone.js';

const EDGES: Record<MilestoneEdge, Partial<Record<MilestoneStatus, MilestoneStatus>>> = {
  change: { pending: 'pending', rejected: 'rejected' },
  submit: { pending: 'submitted' },
  approve: { submitted: 'approved' },
  reject: { submitted: 'rejected' },
  resubmit: { rejected: 'submitted' },
  'start payout': { approved: 'completed' },
  'return payout': { completed: 'approved' },
  settle: { approved: 'paid', completed: 'paid' },
};

const every = Object.keys(EDGES).flatMap((edge) =>
  MILESTONE_STATUSES.map((from) => [edge as MilestoneEdge, from] as const),
);

describe('milestone state machine', () => {
  it.each(every)('the edge "%s" from %s leads where the table says, or is refused', (edge, from) => {
    const to = EDGES[edge][from];
    if (to) expect(followMilestone(from, edge)).toBe(to);
    else expect(() => followMilestone(from, edge)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});

const AFTER: Partial<Record<MilestoneStatus, Record<PaymentStatus, MilestoneStatus>>> = {
  approved: {
    pending: 'approved',
    processing: 'completed',
    completed: 'paid',
    failed: 'approved',
    cancelled: 'approved',
  },
  completed: {
    pending: 'approved',
    processing: 'completed',
    completed: 'paid',
    failed: 'approved',
    cancelled: 'approved',
  },
};

describe('the payment of a milestone', () => {
  it.each(MILESTONE_STATUSES.flatMap((from) => PAYMENT_STATUSES.map((payment) => [from, payment] as const)))(
    'a milestone that is %s follows its payment when that is %s',
    (from, payment) => {
      expect(milestoneAfterPayment(from, payment)).toBe(AFTER[from]?.[payment] ?? from);
    },
  );
});

const details = { title: 'Wireframes', description: 'All pages', amount: '100.00', dueDate: null, sortOrder: 1 };

describe('milestone details', () => {
  it('the amount gets the digits of the currency', () => {
    expect(readDetails({ ...details, amount: '85.5' }, 'EUR').amount).toBe('85.50');
    expect(readDetails({ ...details, amount: '85' }, 'JPY').amount).toBe('85');
  });

  it.each([{ sortOrder: 0 }, { sortOrder: 2 ** 31 - 1 }, { description: null }])('accepts %j', (fits) => {
    expect(readDetails({ ...details, ...fits }, 'EUR')).toMatchObject(fits);
  });

  it.each([
    ['title', { title: '' }],
    ['title', { title: 'x'.repeat(201) }],
    ['description', { description: 'x'.repeat(10_001) }],
    ['description', { description: 'nul \0' }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '9'.repeat(40) }],
    ['sortOrder', { sortOrder: -1 }],
    ['sortOrder', { sortOrder: 2 ** 31 }],
  ])('names %s if it is invalid', (path, wrong) => {
    expect(() => readDetails({ ...details, ...wrong }, 'EUR')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', details: [expect.objectContaining({ path })] }),
    );
  });

  it('a change keeps fields that it does not name; null clears the nullable ones', () => {
    expect(changeDetails(details, {})).toEqual(details);
    const all = { title: 'Pages', description: null, amount: '1', dueDate: '2027-01-31', sortOrder: 0 };
    expect(changeDetails(details, all)).toEqual(all);
    expect(changeDetails(all, { title: null, amount: null, sortOrder: null, dueDate: null })).toEqual({
      ...all,
      dueDate: null,
    });
  });
});
