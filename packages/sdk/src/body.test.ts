import { expect, it } from 'vitest';
import { writeBody } from './body.js';

it('an amount given as text is written as a number with the same digits', () => {
  const draft = {
    title: '12.50',
    compensation: { type: 'hourly', rate: '0.1000000000000000055511151231257827', currency: 'EUR' },
    milestones: [
      { title: 'a "b"', amount: '12345678901234567890.01' },
      { title: '', amount: 3 },
    ],
  };
  expect(writeBody(draft)).toBe(
    '{"title":"12.50","compensation":{"type":"hourly","rate":0.1000000000000000055511151231257827,"currency":"EUR"},' +
      '"milestones":[{"title":"a \\"b\\"","amount":12345678901234567890.01},{"title":"","amount":3}]}',
  );
});

it('undefined properties are omitted, and all others written as JSON', () => {
  const value = { a: undefined, b: null, c: [1, true, 'é\n\u2028'], d: {}, amount: null };
  expect(writeBody(value)).toBe(JSON.stringify(value));
});

it.each(['1,50', '1e3', '', ' 1', '01', '.5', '1.', '-1', '+1', 'NaN', '1\n'])('%j is not an amount', (rate) => {
  expect(() => writeBody({ compensation: { rate } })).toThrow('compensation.rate has to be a decimal');
});

it.each([Number.NaN, Number.POSITIVE_INFINITY])('%d cannot be sent', (amount) => {
  expect(() => writeBody({ milestones: [{ amount }] })).toThrow('milestones[0].amount is no number');
});
