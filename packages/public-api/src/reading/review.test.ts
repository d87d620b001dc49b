import { expect, test } from 'vitest';
import { Approval, Rejection } from '../shapes/resources.js';
import { readValue } from './json.js';
import { createReader } from './reader.js';

const readRejection = createReader(Rejection);
const reject = (reason: unknown) => readRejection(readValue({ expectedVersion: 'v1', reason }));

test('white space around a reason does not count', () => {
  expect(reject(`  ${'r'.repeat(2000)}\n`)).toEqual({
    ok: true,
    value: { expectedVersion: 'v1', reason: 'r'.repeat(2000) },
  });
  expect(reject('r'.repeat(2001))).toMatchObject({ problems: [{ path: 'reason', code: 'too_long' }] });
  expect(reject('😀'.repeat(2000))).toMatchObject({ ok: true });
});

test.each(['', '   ', '\n\t\u00a0'])('%j is too short for a reason', (reason) => {
  expect(reject(reason)).toMatchObject({ problems: [{ path: 'reason', code: 'too_short' }] });
});

test('a reason must be text', () => {
  expect(reject(5)).toMatchObject({ problems: [{ path: 'reason', code: 'invalid_type' }] });
  expect(reject('a\0')).toMatchObject({ problems: [{ path: 'reason', code: 'invalid_characters' }] });
});

test('an approval takes the version and nothing else', () => {
  const read = createReader(Approval);
  expect(read(readValue({ expectedVersion: 'v'.repeat(128) }))).toMatchObject({ ok: true });
  expect(read(readValue({ expectedVersion: 'v'.repeat(129), reason: 'no' }))).toMatchObject({
    problems: [
      { path: 'reason', code: 'unknown_property' },
      { path: 'expectedVersion', code: 'too_long' },
    ],
  });
  expect(read(readValue({ expectedVersion: '' }))).toMatchObject({ problems: [{ code: 'too_short' }] });
});
