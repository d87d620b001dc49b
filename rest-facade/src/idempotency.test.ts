import { readJson } from '@payroll/public-api';
import { expect, test } from 'vitest';
import { fingerprintOf } from './idempotency.js';

const of = (text: string, path = '/v1/contracts') =>
  fingerprintOf('POST', path, readJson(new TextEncoder().encode(text)).exact);

test('the order of properties, white space and the notation of a number do not matter', () => {
  expect(of('{"title":"t","compensation":{"type":"hourly","rate":1.50}}')).toBe(
    of('{ "compensation": { "rate": 15e-1, "type": "hourly" }, "title": "t" }'),
  );
});

test("a digit beyond a float's precision matters", () => {
  expect(of('{"rate":0.10000000000000000001}')).not.toBe(of('{"rate":0.1}'));
});

test('the order of a list, an explicit default, and the ids of the path matter', () => {
  expect(of('{"skills":["a","b"]}')).not.toBe(of('{"skills":["b","a"]}'));
  expect(of('{"invoicingSettings":{}}')).not.toBe(of('{"invoicingSettings":{"paymentDueDays":0}}'));
  expect(of('{}', '/v1/timesheets/a/approve')).not.toBe(of('{}', '/v1/timesheets/b/approve'));
});
