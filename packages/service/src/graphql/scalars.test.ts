import { Kind } from 'graphql';
import { describe, expect, it } from 'vitest';
import { CalendarDate, Decimal, Timestamp } from './scalars.js';

const scalars = { Timestamp, CalendarDate, Decimal };
type Name = keyof typeof scalars;

describe('accepts a value unchanged, as a variable and in the query', () => {
  it.each<[Name, string]>([
    ['Timestamp', '2026-01-31T09:00:00Z'],
    ['Timestamp', '2026-01-31T09:00:00.000001Z'],
    ['CalendarDate', '2028-02-29'],
    ['Decimal', '12.50'],
    ['Decimal', '0'],
    ['Decimal', '123456789012345678901234567890.123456'],
  ])('%s %s', (name, value) => {
    expect(scalars[name].parseValue(value)).toBe(value);
    expect(scalars[name].parseLiteral({ kind: Kind.STRING, value })).toBe(value);
    expect(scalars[name].serialize(value)).toBe(value);
  });
});

describe('refuses with the expected format', () => {
  it.each<[Name, unknown]>([
    ['Timestamp', '2026-02-30T09:00:00Z'],
    ['Timestamp', '2026-01-31T09:00:00+01:00'],
    ['Timestamp', '2026-01-31T24:00:01Z'],
    ['Timestamp', '2026-01-31'],
    ['Timestamp', 1_769_850_000],
    ['CalendarDate', '2026-02-29'],
    ['CalendarDate', '2026-2-1'],
    ['CalendarDate', '2026-01-31T00:00:00Z'],
    ['CalendarDate', ''],
    ['Decimal', 12.5],
    ['Decimal', '1e3'],
    ['Decimal', '12,50'],
    ['Decimal', 'NaN'],
    ['Decimal', ' 1'],
    ['Decimal', ''],
    ['Decimal', true],
    ['Decimal', ['1']],
  ])('%s %j', (name, value) => {
    expect(() => scalars[name].parseValue(value)).toThrow(`${name}: expected `);
  });

  it.each(Object.values(scalars))('$name from a literal that is not a string', (scalar) => {
    expect(() => scalar.parseLiteral({ kind: Kind.INT, value: '1' })).toThrow('expected');
    expect(() => scalar.parseLiteral({ kind: Kind.FLOAT, value: '1.5' })).toThrow('expected');
    expect(() => scalar.parseLiteral({ kind: Kind.ENUM, value: 'TODAY' })).toThrow('expected');
  });
});
