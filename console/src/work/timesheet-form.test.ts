import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readUnits } from './timesheet-form.js';

it.each([
  ['7.5', '7.5'],
  ['7,5', '7.5'],
  ['7:30', '7.5'],
  ['0:20', '0.33'],
  ['0:40', '0.67'],
  ['7:59', '7.98'],
  [' 8 ', '8'],
  ['8.00', '8'],
  ['07.2500', '7.25'],
  ['0', '0'],
])('%s is %s', (typed, units) => {
  expect(readUnits(typed)).toBe(units);
});

it.each(['', ' ', '1,000.5', '1.000,5', '1e3', '٧', '-1', '+1', '7:60', '7:5', '7.', '.5', '1.23456', '7h', '7 30'])(
  'refuses "%s"',
  (typed) => {
    expect(readUnits(typed)).toBeNull();
  },
);

it('reads every spelling of the same time as the same number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 9_999 }), (whole, fraction) => {
      const digits = String(fraction).padStart(4, '0');
      const [point, comma] = [readUnits(`${whole}.${digits}`), readUnits(`${whole},${digits}`)];
      expect(comma).toBe(point);
      expect(Number(point)).toBeCloseTo(whole + fraction / 10_000, 10);
    }),
  );
});
