import { generateKeySync } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  isPayout,
  type StatementLine,
  isGenuine,
  REPLAY_WINDOW_MS,
  signCallback,
  readStatement,
  writeStatement,
} from './protocol.js';

const KEY = generateKeySync('hmac', { length: 256 });
const NOW = Date.parse('2027-06-01T12:00:00Z');
const body = Buffer.from('{"idempotencyKey":"milestone:1:1"}');
const signed = (at = NOW, key = KEY) => ({ timestamp: String(at), signature: signCallback(key, String(at), body) });

const line: StatementLine = {
  ...{ idempotencyKey: 'milestone:1:1', reference: 'r', amount: '10.00', currency: 'EUR', destination: 'iban' },
  status: 'settled',
  method: 'bank_transfer',
  recipient: 'somebody',
  finishedAt: '2027-06-01T12:00:00.000Z',
};
const period = { from: '2027-06-01T00:00:00.000Z', to: '2027-06-02T00:00:00.000Z' };

it('a callback is genuine with its signature and within the time window', () => {
  expect(isGenuine(KEY, signed(), body, NOW)).toBe(true);
  expect(isGenuine(KEY, signed(NOW - REPLAY_WINDOW_MS), body, NOW)).toBe(true);
  expect(isGenuine(KEY, signed(NOW - REPLAY_WINDOW_MS - 1), body, NOW)).toBe(false);
  expect(isGenuine(KEY, signed(NOW + REPLAY_WINDOW_MS + 1), body, NOW)).toBe(false);
});

it.each([
  ['another body', signed(), Buffer.from('{}')],
  ['another time', { ...signed(), timestamp: String(NOW - 1) }, body],
  ['another key', signed(NOW, generateKeySync('hmac', { length: 256 })), body],
  ['a part of its signature', { ...signed(), signature: signed().signature.slice(0, -1) }, body],
  ['no signature', { ...signed(), signature: undefined }, body],
  ['a time that is no number', { timestamp: 'now', signature: signCallback(KEY, 'now', body) }, body],
])('a callback with %s is refused', (_, headers, heard) => {
  expect(isGenuine(KEY, headers, heard, NOW)).toBe(false);
});

it('a payout has every field of its kind, and may have more', () => {
  expect(isPayout({ ...line, fee: '1' })).toBe(true);
  for (const field of Object.keys(line).filter((name) => name !== 'finishedAt')) {
    expect(isPayout({ ...line, [field]: undefined }), field).toBe(false);
    expect(isPayout({ ...line, [field]: 7 }), field).toBe(false);
  }
  expect(isPayout({ ...line, status: 'refused' })).toBe(false);
});

it('a statement reads back as written, even several in a row', () => {
  const text = writeStatement(period, [line]);
  expect(readStatement(text + text)).toEqual({ periods: [period, period], lines: [line, line] });
});

it.each([
  ['', /empty/],
  [JSON.stringify(line), /line 1/],
  [`${JSON.stringify(period)}\n\n{"status":"settled"}`, /line 3/],
  [`${JSON.stringify(period)}\nnot JSON`, /line 2/],
])('a statement %j is refused', (text, why) => {
  expect(() => readStatement(text)).toThrow(why);
});
