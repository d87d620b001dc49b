import { expect, it } from 'vitest';
import { enteredAmount } from './values.js';

/** The details of a refusal. */
function refusalOf(enter: () => unknown): object[] {
  try {
    enter();
  } catch (error) {
    const { code, details } = error as { code: string; details: object[] };
    expect(code).toBe('VALIDATION_FAILED');
    return details;
  }
  return [];
}

it('an amount is money of its currency', () => {
  expect(enteredAmount('10.5', 'EUR').toJSON()).toEqual({ amount: '10.50', currency: 'EUR' });
  expect(enteredAmount('0.000001', 'USDC').toJSON()).toEqual({ amount: '0.000001', currency: 'USDC' });
});

it.each([
  ['1', 'eur', 'currency', 'format'],
  ['1', 'EUROS', 'currency', 'format'],
  ['1', 'EU', 'currency', 'format'],
  ['1', ' EUR', 'currency', 'format'],
  ['1', 'XXZ', 'currency', 'unknown_currency'],
  ['0', 'EUR', 'amount', 'not_positive'],
  ['-1', 'EUR', 'amount', 'not_positive'],
  ['ten', 'EUR', 'amount', 'not_positive'],
  ['0.001', 'EUR', 'amount', 'too_precise'],
])('an amount of %s %s is refused: %s %s', (amount, currency, path, code) => {
  expect(refusalOf(() => enteredAmount(amount, currency))).toEqual([{ path, code }]);
});
