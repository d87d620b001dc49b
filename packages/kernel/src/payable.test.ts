import { describe, expect, it } from 'vitest';
import { amountProblem, currencyExponent, isCurrency, Money, rateProblem, wasEverCurrency } from './money.js';

describe('currencies', () => {
  it.each([
    ['EUR', 2],
    ['IDR', 2],
    ['JPY', 0],
    ['UYI', 0],
    ['KWD', 3],
    ['IQD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['MGA', 2],
    ['MRU', 2],
    ['XOF', 0],
    ['XCG', 2],
    ['USDC', 6],
  ])('%s has %i digits after the point', (code, digits) => {
    expect(isCurrency(code)).toBe(true);
    expect(currencyExponent(code)).toBe(digits);
  });

  it.each(['ZQX', 'XXX', 'XTS', 'XAU', 'XAG', 'XPT', 'XBA', 'XDR', 'USDT', 'usd', ''])(
    '%j is not a currency',
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(wasEverCurrency(code)).toBe(false);
    },
  );

  it.each(['HRK', 'ANG', 'SLL', 'DEM'])(
    '%s was a currency: existing debts in it are paid, and new ones refused',
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(wasEverCurrency(code)).toBe(true);
      expect(amountProblem({ amount: '10.50', currency: code })).toBeNull();
    },
  );
});

const most = '9'.repeat(20);

describe('an amount that a bank can pay', () => {
  it.each([
    ['10.01', 'USD'],
    ['10.500', 'USD'],
    ['10', 'JPY'],
    ['0.0001', 'CLF'],
    ['0.000001', 'USDC'],
    [most, 'JPY'],
    [`-${most}.99`, 'EUR'],
  ])('%s %s', (amount, currency) => {
    expect(amountProblem({ amount, currency })).toBeNull();
  });

  it.each([
    ['10.005', 'USD', 'too_precise'],
    ['10.5', 'JPY', 'too_precise'],
    ['0.0000001', 'USDC', 'too_precise'],
    [`0.${'0'.repeat(36)}1`, 'EUR', 'too_precise'],
    [`1${'0'.repeat(20)}`, 'EUR', 'out_of_range'],
    [`-1${'0'.repeat(20)}`, 'EUR', 'out_of_range'],
    ['1', 'ZQX', 'unknown_currency'],
    ['1', 'XAU', 'unknown_currency'],
  ])('is not %s %s: %s', (amount, currency, code) => {
    expect(amountProblem({ amount, currency })).toMatchObject({ code });
  });

  it('can be added 10^12 times without exceeding 40 characters', () => {
    for (const sign of ['', '-']) {
      const largest = Money.of(`${sign}${most}.999999`, 'USDC');
      expect(amountProblem(largest)).toBeNull();
      expect(largest.times('1000000000000').amount.length).toBeLessThanOrEqual(40);
    }
  });
});

it('a rate may be finer than its currency, up to a limit', () => {
  const problem = (amount: string) => rateProblem({ amount, currency: 'USD' })?.code ?? null;
  expect(problem('0.03333333333333333')).toBeNull();
  expect(problem(`${most}.${'9'.repeat(18)}`)).toBeNull();
  expect(Money.of(`${most}.${'9'.repeat(18)}`, 'USD').amount.length).toBeLessThanOrEqual(40);
  expect(problem('0.0000000000000000001')).toBe('too_precise');
  expect(problem('9'.repeat(37))).toBe('out_of_range');
  expect(rateProblem({ amount: '1', currency: 'ZQX' })?.code).toBe('unknown_currency');
});
