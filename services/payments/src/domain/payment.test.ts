import { PAYMENT_STATUSES, type PaymentStatus } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { followPayment, requireDue, type PaymentEdge } from './payment.js';

const EDGES: Record<PaymentEdge, Partial<Record<PaymentStatus, PaymentStatus>>> = {
  process: { pending: 'processing' },
  complete: { processing: 'completed' },
  fail: { processing: 'failed' },
  cancel: { pending: 'cancelled' },
  retry: { failed: 'pending' },
};

const every = Object.keys(EDGES).flatMap((edge) =>
  PAYMENT_STATUSES.map((from) => [edge as PaymentEdge, from] as const),
);

describe('payment state machine', () => {
  it.each(every)('the edge "%s" from %s leads where the table says, or is refused', (edge, from) => {
    const to = EDGES[edge][from];
    if (to) expect(followPayment(from, edge)).toBe(to);
    else expect(() => followPayment(from, edge)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});

describe('a payment is due', () => {
  const [yesterday, today, tomorrow] = ['2027-05-31', '2027-06-01', '2027-06-02'] as const;
  const isDue = (autoPayEnabled: boolean, scheduledDate: string | null): boolean => {
    try {
      requireDue({ autoPayEnabled, scheduledDate }, today);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_STATE' });
      return false;
    }
  };

  it('from its scheduled date on, and at once without one', () => {
    expect([yesterday, today, tomorrow, null].map((day) => isDue(true, day))).toEqual([true, true, false, true]);
  });

  it('never without automatic payment', () => {
    expect([yesterday, today, tomorrow, null].some((day) => isDue(false, day))).toBe(false);
  });
});
