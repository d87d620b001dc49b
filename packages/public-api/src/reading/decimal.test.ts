import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exceeds, plainDecimal } from './json.js';

test.each([
  ['0', '0'],
  ['-0', '0'],
  ['0.10', '0.1'],
  ['1.50e2', '150'],
  ['1e-7', '0.0000001'],
  ['100E-2', '1'],
  ['-12.340', '-12.34'],
  ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
  ['12345678901234567890.123456789', '12345678901234567890.123456789'],
])('%s is %s', (source, plain) => {
  expect(plainDecimal(source)).toBe(plain);
});

test.each(['1e40', '1e999999999999999999999', '1e-400', `0.${'1'.repeat(39)}`, '9'.repeat(41)])(
  '%s needs more than 40 characters',
  (source) => {
    expect(plainDecimal(source)).toBeNull();
  },
);

test('a million zeros before a one take no longer than a million ones', () => {
  expect(plainDecimal(`0.${'0'.repeat(1_000_000)}1`)).toBeNull();
  expect(plainDecimal(`1${'0'.repeat(500_000)}.${'0'.repeat(500_000)}1`)).toBeNull();
});

test('keeps every significant digit and no needless one, in any notation', () => {
  const number = fc.stringMatching(/^-?(0|[1-9]\d{0,18})(\.\d{1,12})?([eE][+-]?\d{1,2})?$/);
  fc.assert(
    fc.property(number, (source) => {
      const plain = plainDecimal(source);
      fc.pre(plain !== null);
      expect(plain).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/);
      expect(scaled(plain)).toBe(scaled(source));
    }),
  );
});

/** The number times 10^120: an integer, so that two notations can be compared exactly. */
function scaled(source: string): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)\.?(\d*)(?:e(.+))?$/i.exec(source)!;
  const value = BigInt(whole + fraction) * 10n ** BigInt(120 - fraction.length + Number(exponent));
  return sign === '-' ? -value : value;
}

test('the smallest amount above a hundred exceeds a hundred', () => {
  expect(exceeds('100', 100)).toBe(false);
  expect(exceeds('100.00000000000000000000001', 100)).toBe(true);
  expect(exceeds('99.99999999999999999999999', 100)).toBe(false);
  expect(exceeds('-101', 100)).toBe(false);
});
