import { expect, it } from 'vitest';
import { totalsOf } from './totals.js';

const pays = (amount: string, currency: string) => ({ amount, currency });

it('adds amounts of one currency exactly, and never across currencies', () => {
  const works = [
    pays('0.10', 'EUR'),
    pays('0.000001', 'USDC'),
    pays('0.20', 'EUR'),
    pays('90071992547409.93', 'EUR'),
    pays('1000', 'JPY'),
  ];
  expect(totalsOf(works)).toMatchObject([
    { amount: '90071992547410.23', currency: 'EUR' },
    { amount: '1000', currency: 'JPY' },
    { amount: '0.000001', currency: 'USDC' },
  ]);
});
