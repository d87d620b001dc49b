import { Money } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { decidePayout, idempotencyKey, type PayoutSituation } from './payout.js';
import type { VerificationStatus } from './payee.js';

type Situation = PayoutSituation<{ verificationStatus: VerificationStatus }>;

const payee = { verificationStatus: 'verified' } as const;
const sound: Situation = {
  payee,
  kybStatus: 'verified',
  available: Money.of('10', 'EUR'),
  net: Money.of('10', 'EUR'),
};

describe('a payout', () => {
  it('goes to a verified payee of a verified business that can spend as much', () => {
    expect(decidePayout(sound)).toEqual({ kind: 'pay', payee });
  });

  it.each<[string, Partial<Situation>]>([
    ['payee_missing', { payee: null }],
    ['payee_unverified', { payee: { verificationStatus: 'unverified' } }],
    ['payee_unverified', { payee: { verificationStatus: 'rejected' } }],
    ['business_unverified', { kybStatus: null }],
    ['business_unverified', { kybStatus: 'not_started' }],
    ['business_unverified', { kybStatus: 'pending' }],
    ['business_unverified', { kybStatus: 'rejected' }],
    ['insufficient_funds', { available: Money.of('9.99', 'EUR') }],
  ])('is refused: %s, %j', (reason, change) => {
    expect(decidePayout({ ...sound, ...change })).toEqual({ kind: 'refuse', reason });
  });

  it('of nothing needs nobody and no funds', () => {
    const nothing = { payee: null, kybStatus: null, available: Money.zero('EUR'), net: Money.zero('EUR') };
    expect(decidePayout(nothing)).toEqual({ kind: 'nothing_to_pay' });
  });

  it('has a key for each attempt', () => {
    expect(idempotencyKey({ paymentId: 'p', number: 2 })).toBe('p:2');
  });
});
