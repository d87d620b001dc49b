import { DomainError } from '@payroll/kernel';
import { expect, test } from 'vitest';
import { asDomainError } from './as-domain-error.js';
import { errorAnswer } from './error-answer.js';

const fastifyError = (code: string, statusCode: number) => Object.assign(new Error('x'), { code, statusCode });

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

test('what Fastify refuses is 400 or 413; a status on any other error means nothing', () => {
  expect(asDomainError(fastifyError('FST_ERR_CTP_BODY_TOO_LARGE', 413)).code).toBe('PAYLOAD_TOO_LARGE');
  expect(asDomainError(fastifyError('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415)).code).toBe('INVALID_REQUEST');
  expect(asDomainError(fastifyError('FST_ERR_SEND_INSIDE_ONERR', 500)).code).toBe('INTERNAL_ERROR');
  expect(asDomainError(fastifyError('SOME_LIBRARY', 404)).code).toBe('INTERNAL_ERROR');
  expect(asDomainError('thrown text').code).toBe('INTERNAL_ERROR');
});

test('what a service says of its internal error does not go outside', () => {
  expect(asDomainError(new DomainError('INTERNAL_ERROR', 'the table is gone')).message).not.toContain('table');
});
