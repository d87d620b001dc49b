import { DomainError, type ErrorCode } from '@payroll/kernel';
import { ErrorBody } from '@payroll/public-api';
import { Compile } from 'typebox/compile';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ERROR_STATUSES, ERROR_TABLE } from '../src/errors.js';
import { startFacade } from './support/facade.js';
import { admitted } from './support/fakes.js';
import { business, ID } from './support/samples.js';

const facade = await startFacade('facade_errors', { deadlineMs: 300 });
afterAll(() => facade[Symbol.asyncDispose]());
beforeEach(() => {
  facade.logged.length = 0;
  facade.admission.answer = () => admitted();
  facade.gateway.answers['business'] = () => business;
});

const errorBody = Compile(ErrorBody);

test('every answer has a request id, no-store and nosniff', async () => {
  for (const answer of [
    await facade.get('/v1/business'),
    await facade.get('/v1/no'),
    await facade.get('/'),
    await facade.get('/v1/%ZZ'),
  ]) {
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  }
});

test.each([
  ['many repeated parameters', 'a&'.repeat(7_000)],
  ['many unknown parameters', Array.from({ length: 1_500 }, (_, n) => `p${n}&p${n}`).join('&')],
  ['a long repeated parameter', `${'x'.repeat(300)}&${'x'.repeat(300)}`],
  ['long unknown parameters', Array.from({ length: 5 }, (_, n) => `${n}${'x'.repeat(300)}`).join('&')],
  ['a long name with an emoji at its cut', `${'x'.repeat(199)}%F0%9F%98%80`],
])('%s are refused in the form of the document', async (_, query) => {
  const answer = await facade.get(`/v1/contracts?${query}`);
  expect(answer.statusCode).toBe(400);
  expect(errorBody.Errors(answer.json())).toEqual([]);
  expect(answer.body).not.toMatch(/\\ud83d(?!\\ude00)/i);
});

test('a request id sent by a client is not used', async () => {
  const answer = await facade.get('/v1/business', { 'x-request-id': 'mine', 'request-id': 'mine' });
  expect(answer.headers['x-request-id']).not.toBe('mine');
});

test.each([
  ['GET', '/'],
  ['GET', '/v1'],
  ['GET', '/v1/'],
  ['GET', '/v1/unknown'],
  ['GET', '/v2/contracts'],
  ['POST', '/v1/business'],
  ['PUT', '/v1/contracts'],
  ['PATCH', `/v1/contracts/${ID}`],
  ['DELETE', `/v1/contracts/${ID}`],
  ['GET', `/v1/timesheets/${ID}/approve`],
  ['OPTIONS', '/v1/contracts'],
  ['GET', '/v1/contracts/'],
  ['GET', '/v1/business/'],
  ['GET', '/v1//business'],
  ['GET', '/v1/Business'],
  ['GET', '/v1/contracts//milestones'],
  ['POST', '/v1/openapi.json'],
] as const)('%s %s is 404 with the one body', async (method, url) => {
  const answer = await facade.app.inject({ method, url, headers: { authorization: 'Bearer good' } });
  expect(answer.statusCode).toBe(404);
  expect(errorBody.Check(answer.json())).toBe(true);
  expect(answer.json().error).toMatchObject({
    type: 'not_found',
    code: 'NOT_FOUND',
    requestId: answer.headers['x-request-id'],
  });
});

test.each(['/v1/contracts/%ZZ', `/v1/contracts/${'x'.repeat(200)}`])('%s is 400', async (url) => {
  const answer = await facade.get(url);
  expect(errorBody.Check(answer.json())).toBe(true);
  expect(answer.json().error).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
});

test.each(Object.keys(ERROR_TABLE) as ErrorCode[])('%s from a service gets the status of the table', async (code) => {
  facade.gateway.answers['business'] = () => {
    throw new DomainError(code, 'As the service said.');
  };
  const answer = await facade.get('/v1/business');
  const { status } = ERROR_TABLE[code];
  const { type } = ERROR_STATUSES[status];
  expect(answer.statusCode).toBe(status);
  expect(errorBody.Check(answer.json())).toBe(true);
  expect(answer.json().error).toMatchObject({ type, code, status });
  expect(answer.headers['retry-after']).toBe(status === 429 || status === 503 ? '1' : undefined);
});

test('an unexpected error is a neutral 500, and its request id leads to the log', async () => {
  facade.gateway.answers['business'] = () => {
    throw Object.assign(new Error('relation "secret" does not exist'), { parameters: ['what someone wrote'] });
  };
  const answer = await facade.get('/v1/business');
  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toContain('secret');
  expect(answer.json().error).toMatchObject({ type: 'api_error', code: 'INTERNAL_ERROR' });
  const log = facade.logged.join('');
  expect(log).toContain('relation \\"secret\\" does not exist');
  expect(log).toContain(answer.headers['x-request-id']);
  expect(log).not.toContain('what someone wrote');
});

test('an answer of the graph that violates the contract is 500', async () => {
  facade.gateway.answers['business'] = () => ({ ...business, kybStatus: 'unheard-of' });
  expect((await facade.get('/v1/business')).statusCode).toBe(500);
});

test('a graph that does not answer is 503 within the deadline, and learns that the caller has gone', async () => {
  let isGone: (() => boolean) | undefined;
  facade.gateway.answers['business'] = ({ caller }) => {
    isGone = caller.isGone;
    expect(isGone?.()).toBe(false);
    return new Promise(() => {});
  };
  const answer = await facade.get('/v1/business');
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('1');
  expect(isGone?.()).toBe(true);
});

test('an admission that does not answer is 503 within the deadline', async () => {
  facade.admission.answer = () => new Promise(() => {});
  expect((await facade.get('/v1/business')).statusCode).toBe(503);
});

test('neither credentials nor bodies nor queries are logged', async () => {
  await facade.post('/v1/contracts', { title: 'A private title', color: 'private' });
  await facade.get('/v1/contracts?externalReference=private');
  await facade.post('/v1/contracts', '{"private');
  const log = facade.logged.join('');
  expect(log).toContain('"route":"/v1/contracts"');
  expect(log).not.toMatch(/private|Bearer|good/);
});

test('livez and readyz answer without a credential', async () => {
  expect((await facade.app.inject('/livez')).statusCode).toBe(200);
  expect((await facade.app.inject('/readyz')).statusCode).toBe(200);
});
