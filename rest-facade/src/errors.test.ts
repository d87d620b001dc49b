import { DomainError } from '@payroll/kernel';
import { expect, test } from 'vitest';
import { errorAnswer } from './errors.js';

test('details have path and code, and are left out when there are none', () => {
  const details = [{ path: 'title', code: 'required', value: 'private' }];
  const { body } = errorAnswer(new DomainError('VALIDATION_FAILED', 'No.', { details }), 'r');
  expect(body.error).toEqual({
    type: 'validation_error',
    code: 'VALIDATION_FAILED',
    message: 'No.',
    status: 422,
    requestId: 'r',
    details: [{ path: 'title', code: 'required' }],
  });
  expect(errorAnswer(new DomainError('NOT_FOUND', 'No.', { details: [] }), 'r').body.error).not.toHaveProperty(
    'details',
  );
});

test('Retry-After is whole seconds, enough when waited for', () => {
  const headers = (retryAfterSeconds?: number) =>
    errorAnswer(
      new DomainError('RATE_LIMITED', 'No.', retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      'r',
    ).headers;
  expect(headers(0)).toEqual({ 'Retry-After': '1' });
  expect(headers(12.01)).toEqual({ 'Retry-After': '13' });
  expect(headers()).toEqual({ 'Retry-After': '1' });
  expect(errorAnswer(new DomainError('NOT_FOUND', 'No.'), 'r').headers).toEqual({});
});
