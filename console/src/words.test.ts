import { expect, it } from 'vitest';
import { CURRENCIES, dayText, moneyText, periodText, totalsOf, unitsText } from './words.js';

it.each([
  ['400.00', '400.00 EUR'],
  ['1500', '1,500 EUR'],
  ['-1234567.8', '-1,234,567.8 EUR'],
  ['90071992547409930000.000001', '90,071,992,547,409,930,000.000001 EUR'],
])('%s is written as %s, digit by digit', (amount, text) => {
  expect(moneyText({ amount, currency: 'EUR' })).toBe(text);
});

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

it('formats a day for people', () => {
  expect(dayText('2027-03-01')).toBe('1 Mar 2027');
});

it.each([
  ['2027-03-01', '2027-03-07', '1 – 7 Mar 2027'],
  ['2027-03-29', '2027-04-04', '29 Mar – 4 Apr 2027'],
  ['2027-03-01', '2027-03-01', '1 Mar 2027'],
])('formats the period from %s to %s without repetition', (start, end, text) => {
  expect(periodText(start, end).replaceAll(/\s/g, ' ')).toBe(text);
});

it.each([
  ['10', 'hour', '10 hours'],
  ['1.0', 'day', '1.0 day'],
  ['7.25', 'hour', '7.25 hours'],
  ['7.3333', 'hour', '7.3333 hours'],
  ['7.33333334', 'hour', '7:20 hours'],
  ['36.66666667', 'hour', '36:40 hours'],
  ['7.33333334', 'day', '7.33333334 days'],
  ['7.12345678', 'hour', '7.12345678 hours'],
])('%s of a %s is "%s"', (count, unit, text) => expect(unitsText(count, unit)).toBe(text));

it('the currencies to choose from are those in use, with their names', () => {
  expect(CURRENCIES).toMatchObject({ EUR: 'EUR – Euro', USD: 'USD – US Dollar', JPY: 'JPY – Japanese Yen' });
  for (const withdrawn of ['DEM', 'XAU', 'XTS']) expect(CURRENCIES).not.toHaveProperty(withdrawn);
});
