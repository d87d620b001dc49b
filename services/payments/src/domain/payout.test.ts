import { Money } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import {
  ATTEMPT_STATUSES,
  alarmOf,
  decidePayout,
  idempotencyKey,
  isNews,
  mayBeOrdered,
  requireAgreement,
  requireAlarm,
  requireFresh,
  type AttemptStatus,
  type KnownPayout,
  type PayoutAlarm,
  type PayoutSituation,
} from './payout.js';
import type { VerificationStatus } from './payee.js';

type Situation = PayoutSituation<{ verificationStatus: VerificationStatus }>;

const payee = { verificationStatus: 'verified' } as const;
const sound: Situation = {
  payee,
  kybStatus: 'verified',
  available: Money.of('10', 'EUR'),
  gross: Money.of('12', 'EUR'),
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
    ['amount_unpayable', { net: Money.of('9.995', 'EUR') }],
    ['amount_unpayable', { net: Money.zero('EUR'), gross: Money.of('9.995', 'EUR') }],
  ])('is refused: %s, %j', (reason, change) => {
    expect(decidePayout({ ...sound, ...change })).toEqual({ kind: 'refuse', reason });
  });

  it('of nothing needs nobody and no funds', () => {
    const none = Money.zero('EUR');
    const nothing = { payee: null, kybStatus: null, available: none, gross: none, net: none };
    expect(decidePayout(nothing)).toEqual({ kind: 'nothing_to_pay' });
  });

  it('has a key for each attempt at a piece of work, whatever its payment is called', () => {
    expect(idempotencyKey({ type: 'milestone', id: 'm' }, 2)).toBe('milestone:m:2');
  });
});

describe('what a provider says of an attempt', () => {
  const terms = { amount: { amount: '10', currency: 'EUR' }, payoutMethod: 'wise', destination: 'x' } as const;
  const known: KnownPayout = { ...terms, status: 'submitted', reference: 'r' };
  const attempt = (status: AttemptStatus, alarm: PayoutAlarm | null = null, heard: KnownPayout | null = null) => ({
    ...{ ...terms, status, alarm, heard },
  });

  it.each([
    ['of the same terms', { ...known, amount: { amount: '10.00', currency: 'EUR' } }, null],
    ['of another amount', { ...known, amount: { amount: '10.01', currency: 'EUR' } }, 'differs'],
    ['of another currency', { ...known, amount: { amount: '10', currency: 'USD' } }, 'differs'],
    ['of another destination', { ...known, destination: 'y' }, 'differs'],
    ['of another method', { ...known, payoutMethod: 'other' }, 'differs'],
    ['is nothing', null, 'not_found'],
  ] as const)('that %s', (_, heard, alarm) => {
    expect(alarmOf(attempt('submitted'), heard)).toBe(alarm);
  });

  it('is not found: it may be ordered only before it was acknowledged, and never after an alarm', () => {
    expect(mayBeOrdered(attempt('prepared'))).toBe(true);
    expect(mayBeOrdered(attempt('submitted'))).toBe(false);
    expect(mayBeOrdered(attempt('prepared', 'differs'))).toBe(false);
    expect(alarmOf(attempt('prepared', 'differs'), null)).toBe('differs');
  });

  it('is news when it changes something', () => {
    expect(isNews(attempt('prepared'), known)).toBe(true);
    expect(isNews(attempt('submitted'), known)).toBe(false);
    expect(isNews(attempt('submitted', 'not_found'), known)).toBe(true);
    expect(isNews(attempt('submitted', 'not_found'), null)).toBe(false);
    const other: KnownPayout = { ...known, amount: { amount: '8', currency: 'EUR' } };
    expect(isNews(attempt('prepared', 'differs', other), { ...other })).toBe(false);
    expect(isNews(attempt('prepared', 'differs', other), { ...other, status: 'settled' })).toBe(true);
    expect(isNews(attempt('prepared', 'differs', other), { ...other, destination: 'y' })).toBe(true);
    expect(isNews(attempt('prepared', 'differs', other), null)).toBe(false);
  });
});

describe('what a person says became of a payout', () => {
  it.each(ATTEMPT_STATUSES)('counts under an alarm, while it is open: %s', (status) => {
    const isOpen = status === 'prepared' || status === 'submitted';
    for (const alarm of ['not_found', 'differs'] as const) {
      if (isOpen) expect(() => requireAlarm({ status, alarm })).not.toThrow();
      else expect(() => requireAlarm({ status, alarm })).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
    }
    expect(() => requireAlarm({ status, alarm: null })).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});

describe('what two people would record', () => {
  const heard: KnownPayout = {
    ...{ amount: { amount: '10', currency: 'EUR' }, payoutMethod: 'wise', destination: 'x' },
    ...{ status: 'settled', reference: 'r' },
  };
  it.each([
    ['was_paid', null, true],
    ['was_paid', 'settled', true],
    ['was_paid', 'submitted', false],
    ['was_paid', 'declined', false],
    ['never_paid', null, false],
    ['never_paid', 'settled', false],
    ['never_paid', 'submitted', false],
    ['never_paid', 'declined', true],
  ] as const)('%s, where the provider says %s: %s', (outcome, status, agrees) => {
    const record = (): void => requireAgreement(outcome, status && { ...heard, status });
    if (agrees) expect(record).not.toThrow();
    else expect(record).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});

describe('what was learned of a payment’s parties', () => {
  const askedAt = '2027-06-01T12:00:00.000000Z';
  const learned = { askedAt, contractRevision: 3, businessRevision: 5 };
  const kept = { contract: { revision: 3 }, business: { revision: 5 } };
  const isFresh = (those: Partial<typeof kept> | Record<keyof typeof kept, null>, now = askedAt): boolean => {
    try {
      requireFresh(learned, { ...kept, ...those }, now);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      return false;
    }
  };

  it('holds for ten seconds', () => {
    expect(isFresh({}, '2027-06-01T12:00:10.000000Z')).toBe(true);
    expect(isFresh({}, '2027-06-01T12:00:10.001000Z')).toBe(false);
  });

  it('asks for rows at least as new, both of them', () => {
    expect(isFresh({ contract: { revision: 4 }, business: { revision: 6 } })).toBe(true);
    expect(isFresh({ contract: { revision: 2 } })).toBe(false);
    expect(isFresh({ business: { revision: 4 } })).toBe(false);
    expect(isFresh({ contract: null, business: null })).toBe(false);
  });
});
