import { Money, type Instant } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import {
  ATTEMPT_STATUSES,
  alarmOf,
  decidePayout,
  idempotencyKey,
  changesAttempt,
  canBeSubmitted,
  requireAgreement,
  requireAlarm,
  requireFresh,
  type AttemptStatus,
  type ProviderPayout,
  type PayoutAlarm,
  type PayoutSituation,
} from './payout.js';
import type { VerificationStatus } from './payee.js';

type Situation = PayoutSituation<{ verificationStatus: VerificationStatus; heldUntil: Instant | null }>;

const NOW = '2027-06-01T12:00:00.000001Z';
const payee = { verificationStatus: 'verified', heldUntil: null } as const;
const sound: Situation = {
  now: NOW,
  payee,
  kybStatus: 'verified',
  available: Money.of('10', 'EUR'),
  gross: Money.of('12', 'EUR'),
  net: Money.of('10', 'EUR'),
};

describe('a payout', () => {
  it('goes to a verified payee of a verified business with enough funds', () => {
    expect(decidePayout(sound)).toEqual({ kind: 'pay', payee });
  });

  it.each<[string, Partial<Situation>]>([
    ['payee_missing', { payee: null }],
    ['payee_unverified', { payee: { verificationStatus: 'unverified', heldUntil: NOW } }],
    ['payee_unverified', { payee: { verificationStatus: 'rejected', heldUntil: null } }],
    ['business_unverified', { kybStatus: null }],
    ['business_unverified', { kybStatus: 'not_started' }],
    ['business_unverified', { kybStatus: 'pending' }],
    ['business_unverified', { kybStatus: 'rejected' }],
    ['insufficient_funds', { available: Money.of('9.99', 'EUR') }],
    ['amount_unpayable', { net: Money.of('9.995', 'EUR') }],
    ['amount_unpayable', { net: Money.zero('EUR'), gross: Money.of('9.995', 'EUR') }],
  ])('is refused with %s: %j', (reason, change) => {
    expect(decidePayout({ ...sound, ...change })).toEqual({ kind: 'refuse', reason });
  });

  it('waits while changed details are held, verified or not, and goes when the hold is over', () => {
    const until = '2027-06-01T12:00:00.000002Z';
    for (const verificationStatus of ['verified', 'unverified', 'rejected'] as const) {
      const held = { ...sound, payee: { verificationStatus, heldUntil: until } };
      expect(decidePayout(held)).toEqual({ kind: 'wait', until });
      expect(decidePayout({ ...held, available: Money.zero('EUR'), kybStatus: null })).toEqual({ kind: 'wait', until });
    }
    expect(decidePayout({ ...sound, payee: { ...payee, heldUntil: NOW } })).toMatchObject({ kind: 'pay' });
  });

  it('a zero net amount needs no payee, verification or funds', () => {
    const none = Money.zero('EUR');
    const nothing = { now: NOW, payee: null, kybStatus: null, available: none, gross: none, net: none };
    expect(decidePayout(nothing)).toEqual({ kind: 'nothing_to_pay' });
  });

  it("has one key per attempt at a piece of work, independent of the payment's id", () => {
    expect(idempotencyKey({ type: 'milestone', id: 'm' }, 2)).toBe('milestone:m:2');
  });
});

describe("the provider's answer about an attempt", () => {
  const terms = { amount: { amount: '10', currency: 'EUR' }, payoutMethod: 'wise', destination: 'x' } as const;
  const known: ProviderPayout = { ...terms, status: 'submitted', reference: 'r' };
  const attempt = (status: AttemptStatus, alarm: PayoutAlarm | null = null, heard: ProviderPayout | null = null) => ({
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

  it('an unknown order may be submitted only before its first acknowledgement or alarm', () => {
    expect(canBeSubmitted(attempt('prepared'))).toBe(true);
    expect(canBeSubmitted(attempt('submitted'))).toBe(false);
    expect(canBeSubmitted(attempt('prepared', 'differs'))).toBe(false);
    expect(alarmOf(attempt('prepared', 'differs'), null)).toBe('differs');
  });

  it('isNews tells whether the answer changes the attempt', () => {
    expect(changesAttempt(attempt('prepared'), known)).toBe(true);
    expect(changesAttempt(attempt('submitted'), known)).toBe(false);
    expect(changesAttempt(attempt('submitted', 'not_found'), known)).toBe(true);
    expect(changesAttempt(attempt('submitted', 'not_found'), null)).toBe(false);
    const other: ProviderPayout = { ...known, amount: { amount: '8', currency: 'EUR' } };
    expect(changesAttempt(attempt('prepared', 'differs', other), { ...other })).toBe(false);
    expect(changesAttempt(attempt('prepared', 'differs', other), { ...other, status: 'settled' })).toBe(true);
    expect(changesAttempt(attempt('prepared', 'differs', other), { ...other, destination: 'y' })).toBe(true);
    expect(changesAttempt(attempt('prepared', 'differs', other), null)).toBe(false);
  });
});

describe('the outcome of a payout as recorded by people', () => {
  it.each(ATTEMPT_STATUSES)('requires an open attempt with an alarm: %s', (status) => {
    const isOpen = status === 'prepared' || status === 'submitted';
    for (const alarm of ['not_found', 'differs'] as const) {
      if (isOpen) expect(() => requireAlarm({ status, alarm })).not.toThrow();
      else expect(() => requireAlarm({ status, alarm })).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
    }
    expect(() => requireAlarm({ status, alarm: null })).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});

describe("a requested outcome against the provider's answer", () => {
  const heard: ProviderPayout = {
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
  ] as const)('%s with the answer %s is consistent: %s', (outcome, status, agrees) => {
    const record = (): void => requireAgreement(outcome, status && { ...heard, status });
    if (agrees) expect(record).not.toThrow();
    else expect(record).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});

describe("the freshness of a payment's contract and business data", () => {
  const askedAt = '2027-06-01T12:00:00.000000Z';
  const learned = { askedAt, contractRevision: 3, businessRevision: 5, daysAhead: 0 };
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

  it('lasts ten seconds', () => {
    expect(isFresh({}, '2027-06-01T12:00:10.000000Z')).toBe(true);
    expect(isFresh({}, '2027-06-01T12:00:10.001000Z')).toBe(false);
  });

  it("requires both rows to be at least as new as the owners' answers", () => {
    expect(isFresh({ contract: { revision: 4 }, business: { revision: 6 } })).toBe(true);
    expect(isFresh({ contract: { revision: 2 } })).toBe(false);
    expect(isFresh({ business: { revision: 4 } })).toBe(false);
    expect(isFresh({ contract: null, business: null })).toBe(false);
  });
});
