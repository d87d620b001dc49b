import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  dayOf,
  daysAfter,
  instantOf,
  isCalendarDate,
  isInstant,
  mondayOf,
  msBetween,
  toInstant,
} from './time.js';

describe('calendar dates', () => {
  it.each(['2028-02-29', '2000-02-29', '2027-12-31', '0001-01-01'])('%s exists', (day) => {
    expect(isCalendarDate(day)).toBe(true);
  });

  it.each(['2027-02-29', '1900-02-29', '2027-04-31', '2027-13-01', '2027-00-10', '27-01-01', '2027-1-1', '', 20270101])(
    '%s does not',
    (day) => {
      expect(isCalendarDate(day)).toBe(false);
    },
  );

  it('are exactly the dates that JavaScript accepts, but for year 0, which Postgres does not have', () => {
    expect([isCalendarDate('0000-01-01'), isInstant('0000-01-01T00:00:00Z')]).toEqual([false, false]);
    const number = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), number(13), number(32), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
        const counted = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(counted.getTime()) && counted.toISOString().startsWith(text);
        expect(isCalendarDate(text)).toBe(exists);
        expect(isInstant(`${text}T23:59:59Z`)).toBe(exists);
      }),
      { numRuns: 5000 },
    );
  });

  it('counts days over months and leap years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2027-02-28', 1)).toBe('2027-03-01');
    expect(addDays('2027-12-31', 30)).toBe('2028-01-30');
    expect(addDays('2027-01-01', -1)).toBe('2026-12-31');
  });

  it('takes the UTC day of a moment', () => {
    expect(dayOf('2027-01-31T23:59:59.999999Z')).toBe('2027-01-31');
    expect(dayOf(new Date('2027-01-31T23:59:59Z'))).toBe('2027-01-31');
  });
});

describe('instants', () => {
  it('keep every microsecond Postgres has', () => {
    expect(toInstant('2026-11-21 08:16:47.77926+00')).toBe('2026-11-21T08:16:47.779260Z');
    expect(toInstant('2026-11-21 08:16:47+00')).toBe('2026-11-21T08:16:47.000000Z');
  });

  it('are unchanged if they are instants already', () => {
    const instant = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }).map(instantOf);
    fc.assert(
      fc.property(instant, (text) => {
        expect(toInstant(text)).toBe(text);
      }),
    );
  });

  it('sort as text the way they sort in time', () => {
    expect(toInstant('2026-11-21 08:16:47.1+00') < toInstant('2026-11-21 08:16:47.123+00')).toBe(true);
  });

  it('refuse other time zones instead of shifting silently', () => {
    expect(() => toInstant('2026-11-21 08:16:47+02')).toThrow('Not a UTC timestamp');
  });

  it.each(['2026-11-21T08:16:47Z', '2026-11-21T08:16:47.123456789Z'])('%s is a UTC timestamp', (text) => {
    expect(isInstant(text)).toBe(true);
  });

  it.each([
    '2026-11-21T08:16:47+00:00',
    '2026-02-30T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T23:60:00Z',
    '2026-11-21T23:59:60Z',
    '2026-11-21',
    'x',
    null,
  ])('%s is not an instant', (text) => {
    expect(isInstant(text)).toBe(false);
  });
});

it.each([
  ['2027-06-01', '2027-05-31'],
  ['2027-05-31', '2027-05-31'],
  ['2027-06-06', '2027-05-31'],
  ['2027-01-01', '2026-12-28'],
])('the week of %s begins on %s', (day, monday) => expect(mondayOf(day)).toBe(monday));

it('between two moments are milliseconds, and days of 24 hours', () => {
  const instant = '2027-02-27T22:30:00.000001Z';
  expect(daysAfter(instant, 2)).toBe('2027-03-01T22:30:00.000001Z');
  expect(daysAfter(instant, 0)).toBe(instant);
  expect(msBetween(instant, daysAfter(instant, 1))).toBe(86_400_000);
  expect(msBetween(daysAfter(instant, 1), instant)).toBe(-86_400_000);
});
