import { expect, it } from 'vitest';
import { shortfalls, upcomingDays, upcomingWeeks, type DueDay } from './upcoming.js';

const due = (currency: string, day: string | null, amount: string, payments = 1): DueDay => ({
  ...{ currency, day, amount, payments },
});

it('a week has one sum per currency, and amounts after the horizon come last', () => {
  const days = [
    due('EUR', '2027-06-01', '0.1'),
    due('EUR', '2027-06-06', '0.2', 2),
    due('JPY', '2027-06-06', '5'),
    due('EUR', '2027-06-07', '1'),
    due('EUR', null, '9'),
  ];
  expect(upcomingWeeks(days)).toEqual([
    { week: '2027-05-31', amount: { amount: '0.30', currency: 'EUR' }, payments: 3 },
    { week: '2027-05-31', amount: { amount: '5', currency: 'JPY' }, payments: 1 },
    { week: '2027-06-07', amount: { amount: '1.00', currency: 'EUR' }, payments: 1 },
    { week: null, amount: { amount: '9.00', currency: 'EUR' }, payments: 1 },
  ]);
});

it('a shortfall is reported per currency from its first day, and not beyond the horizon', () => {
  const days = [
    due('EUR', '2027-06-01', '60'),
    due('EUR', '2027-06-09', '60'),
    due('EUR', '2027-06-20', '5'),
    due('EUR', null, '900'),
    due('USD', '2027-06-01', '10'),
    due('JPY', '2027-06-03', '7'),
  ];
  const available = new Map([
    ['EUR', '100'],
    ['USD', '10'],
  ]);
  const byDay = upcomingDays(days, available);
  expect(byDay.map(({ day, balanceAfter: { amount, currency } }) => `${day} ${amount} ${currency}`)).toEqual([
    '2027-06-01 40.00 EUR',
    '2027-06-09 -20.00 EUR',
    '2027-06-20 -25.00 EUR',
    '2027-06-01 0.00 USD',
    '2027-06-03 -7 JPY',
  ]);
  expect(shortfalls(byDay)).toEqual([
    {
      day: '2027-06-09',
      missing: { amount: '20.00', currency: 'EUR' },
      missingInAll: { amount: '25.00', currency: 'EUR' },
    },
    { day: '2027-06-03', missing: { amount: '7', currency: 'JPY' }, missingInAll: { amount: '7', currency: 'JPY' } },
  ]);
});
