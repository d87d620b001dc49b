import { DomainError } from '@payroll/kernel';
import type { ErrorBody } from '@payroll/public-api';
import { expect, test } from 'vitest';
import { refusal } from './errors.js';

const bodyOf = (error: DomainError) => (JSON.parse(refusal(error, 'r').body) as ErrorBody).error;

test('details have path and code, and are omitted if there are none', () => {
  const details = [{ path: 'title', code: 'required', value: 'private' }];
  expect(bodyOf(new DomainError('VALIDATION_FAILED', 'No.', { details }))).toEqual({
    type: 'validation_error',
    code: 'VALIDATION_FAILED',
    message: 'No.',
    status: 422,
    requestId: 'r',
    details: [{ path: 'title', code: 'required' }],
  });
  expect(bodyOf(new DomainError('NOT_FOUND', 'No.', { details: [] }))).not.toHaveProperty('details');
});

test('Retry-After is rounded up to whole seconds', () => {
  const headers = (retryAfterSeconds?: number) =>
    refusal(new DomainError('RATE_LIMITED', 'No.', retryAfterSeconds === undefined ? {} : { retryAfterSeconds }), 'r')
      .headers;
  expect(headers(0)).toEqual({ 'Retry-After': '1' });
  expect(headers(12.01)).toEqual({ 'Retry-After': '13' });
  expect(headers()).toEqual({ 'Retry-After': '1' });
  expect(refusal(new DomainError('NOT_FOUND', 'No.'), 'r').headers).toEqual({});
});
