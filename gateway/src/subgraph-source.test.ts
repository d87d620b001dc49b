import { expect, it } from 'vitest';
import { isRetryable } from './subgraph-source.js';

const failure = (code: string) => Object.assign(new Error('failed'), { code });
const requests = (...queries: string[]) => queries.map((query) => ({ token: '', query, variables: undefined }));
const READ = '{ business { id } }';
const WRITE = 'mutation { approveTimesheet { id } }';

it.each(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND'])('after %s any request is repeated', (code) => {
  expect(isRetryable(failure(code), requests(READ))).toBe(true);
  expect(isRetryable(failure(code), requests(WRITE))).toBe(true);
});

it.each(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])('after %s only reads are repeated', (code) => {
  expect(isRetryable(failure(code), requests(READ, READ))).toBe(true);
  expect(isRetryable(failure(code), requests(WRITE))).toBe(false);
});

it('does not repeat a request that timed out or got an invalid answer', () => {
  expect(isRetryable(failure('UND_ERR_HEADERS_TIMEOUT'), requests(READ))).toBe(false);
  expect(isRetryable(new Error('A subgraph answered 500'), requests(READ))).toBe(false);
});
