import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDecimal, isPositiveDecimal, Money } from './money.js';

const cents = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
const euro = (value: bigint): Money => {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  const sign = value < 0n && value !== 0n ? '-' : '';
  return Money.of(`${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`, 'EUR');
};

describe('Money', () => {
  it('shows at least the digits of its currency and every given digit', () => {
    expect(Money.of('85.5', 'EUR').amount).toBe('85.50');
    expect(Money.of('85.125', 'EUR').amount).toBe('85.125');
    expect(Money.of('100', 'JPY').amount).toBe('100');
    expect(Money.of('1', 'USDC').amount).toBe('1.000000');
    expect(Money.of('-0', 'EUR').amount).toBe('0.00');
  });

  it('rounds a product half-even to the smallest unit', () => {
    expect(Money.of('0.05', 'EUR').times('0.5').amount).toBe('0.02');
    expect(Money.of('0.15', 'EUR').times('0.5').amount).toBe('0.08');
    expect(Money.of('0.25', 'EUR').times('0.5').amount).toBe('0.12');
    expect(Money.of('3', 'JPY').times('0.5').amount).toBe('2');
    expect(Money.of('85.50', 'EUR').times('37.75').amount).toBe('3227.62');
  });

  it('adds and subtracts amounts of any size exactly', () => {
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect(euro(a).plus(euro(b)).amount).toBe(euro(a + b).amount);
        expect(euro(a).minus(euro(b)).amount).toBe(euro(a - b).amount);
        expect(Math.sign(euro(a).compare(euro(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it.each(['1e3', '01', '.5', '5.', '+5', '', ' 1', 'NaN', '1,5', '0x10'])('refuses %j as an amount', (text) => {
    expect(() => Money.of(text, 'EUR')).toThrow(RangeError);
    expect(isDecimal(text)).toBe(false);
  });

  it.each(['eur', 'EU', 'EUROS', 'E1R', ''])('refuses %j as a currency', (currency) => {
    expect(() => Money.of('1', currency)).toThrow(RangeError);
  });

  it('refuses amounts of more than 40 characters', () => {
    expect(Money.of('9'.repeat(37), 'EUR').amount).toHaveLength(40);
    expect(() => Money.of('9'.repeat(38), 'EUR')).toThrow('at most 40 characters');
  });

  it('never mixes currencies', () => {
    expect(() => Money.of('1', 'EUR').plus(Money.of('1', 'USD'))).toThrow('EUR and USD');
  });

  it('reads a stored amount of any size, and shows at most the digits that the wire allows', () => {
    const shown = (amount: string, currency = 'EUR'): string => Money.stored(amount, currency).toJSON().amount;
    expect(shown('989.9790999')).toBe('989.9790999');
    expect(shown(`0.${'0'.repeat(36)}1`)).toBe(`0.${'0'.repeat(36)}1`);
    expect(shown(`1.${'0'.repeat(40)}1`)).toBe(`1.${'0'.repeat(38)}`);
    expect(shown('9'.repeat(39))).toBe('9'.repeat(39));
    expect(shown('-1' + '0'.repeat(37), 'USDC')).toBe('-1' + '0'.repeat(37));
    expect(shown('-1' + '0'.repeat(45))).toBe('-' + '9'.repeat(39));
    const most = Money.of('9'.repeat(37), 'EUR');
    expect(most.plus(most).amount).toBe('1' + '9'.repeat(36) + '8.00');
  });

  it('distinguishes positive numbers from zero', () => {
    expect(isPositiveDecimal('0.000001')).toBe(true);
    expect(isPositiveDecimal('0.00')).toBe(false);
    expect(isPositiveDecimal('-1')).toBe(false);
  });
});
