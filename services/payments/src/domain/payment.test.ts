import { PAYMENT_STATUSES, type PaymentStatus } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { followPayment, type PaymentEdge } from './payment.js';

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

describe('a payment', () => {
  it.each(every)('%s from %s', (edge, from) => {
    const to = EDGES[edge][from];
    if (to) expect(followPayment(from, edge)).toBe(to);
    else expect(() => followPayment(from, edge)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});
