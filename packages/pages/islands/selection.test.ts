import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sumsOf } from './selection.js';

const eur = (amount: string) => ({ amount, currency: 'EUR' });

it.each([
  [['0.10', '0.20'], '0.30 EUR'],
  [['1500', '0.5'], '1,500.5 EUR'],
  [['999999999999999999.99', '0.01'], '1,000,000,000,000,000,000.00 EUR'],
  [['7'], '7 EUR'],
  [['0.00'], '0.00 EUR'],
])('%j is %s', (amounts, sum) => {
  expect(sumsOf(amounts.map(eur))).toEqual([sum]);
});

it('does not add different currencies', () => {
  expect(sumsOf([eur('1'), { amount: '2', currency: 'BRL' }, eur('3')])).toEqual(['2 BRL', '4 EUR']);
});

it('is exact to the cent', () => {
  const cents = fc.bigInt({ min: 0n, max: 10n ** 20n });
  const textOf = (each: bigint) => `${each / 100n}.${String(each % 100n).padStart(2, '0')}`;
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1 }), (amounts) => {
      const [sum] = sumsOf(amounts.map((each) => eur(textOf(each))));
      expect(sum!.replaceAll(',', '')).toBe(`${textOf(amounts.reduce((a, b) => a + b))} EUR`);
    }),
  );
});
