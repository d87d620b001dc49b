import { expect, it } from 'vitest';
import { nextInWords } from './my-payment.js';

it('a payment that our finance team holds asks nothing of the worker', () => {
  const text = nextInWords('finance', 'Northwind', false);
  expect(text).toBe('Our finance team has to look at this payment first. You need not do anything.');
});
