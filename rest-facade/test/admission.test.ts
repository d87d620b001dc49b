import { unavailable } from '@payroll/kernel';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startFacade } from './support/facade.js';
import { admitted } from './support/fakes.js';
import { business, ID } from './support/samples.js';

const facade = await startFacade('facade_admission');
facade.gateway.answers['business'] = () => business;
afterAll(() => facade[Symbol.asyncDispose]());
beforeEach(() => {
  facade.admission.asked.length = 0;
  facade.gateway.calls.length = 0;
  facade.admission.answer = () => admitted();
});

test('every operation asks for its scope under its rate limit', async () => {
  await facade.get('/v1/business');
  await facade.post('/v1/contracts', {});
  await facade.post(`/v1/timesheets/${ID}/approve`, {});
  expect(facade.admission.asked.map(({ scope, limit }) => `${scope} ${limit}`)).toEqual([
    'read reads',
    'contracts:write writes',
    'timesheets:write writes',
  ]);
  expect(facade.admission.asked[0]).toMatchObject({
    credential: { kind: 'api_key' },
    clientAddress: '127.0.0.1',
  });
});

test('a missing or malformed credential is counted by admission and explained to the caller', async () => {
  facade.admission.answer = () => ({ admitted: false, code: 'INVALID_CREDENTIAL', message: 'No.', rateLimits: [] });
  const answer = await facade.get('/v1/business', { authorization: 'Basic x' });
  expect(facade.admission.asked[0]?.credential).toBeNull();
  expect(answer.statusCode).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Bearer');
  expect(answer.headers['ratelimit']).toBeUndefined();
  expect(answer.json()).toEqual({
    error: {
      type: 'authentication_error',
      code: 'INVALID_CREDENTIAL',
      message: 'No credential is in Basic x.',
      status: 401,
      requestId: answer.headers['x-request-id'],
    },
  });
});

test.each([
  ['a body that is no JSON', '{'],
  ['a body above 1 MiB', 'x'.repeat(1_048_577)],
  ['a body that does not fit', '{}'],
])('401, 403 and 429 precede any check of %s', async (_what, body) => {
  for (const [code, status] of [
    ['INVALID_CREDENTIAL', 401],
    ['INSUFFICIENT_SCOPE', 403],
    ['INTEGRATION_DISABLED', 403],
    ['WRITES_DISABLED', 403],
    ['RATE_LIMITED', 429],
  ] as const) {
    facade.admission.answer = () => ({
      admitted: false,
      code,
      message: 'No credential is in Basic x.',
      rateLimits: [],
    });
    const answer = await facade.post('/v1/contracts', body, { 'content-type': 'text/plain', 'idempotency-key': '' });
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
  }
});

test('rate-limit headers are on every admitted answer, including failures', async () => {
  for (const answer of [
    await facade.get('/v1/business'),
    await facade.get('/v1/business?x=1'),
    await facade.get('/v1/no'),
  ]) {
    expect(answer.headers['ratelimit-policy']).toBe('"reads";q=600;w=60, "workspace";q=2000;w=60');
    expect(answer.headers['ratelimit']).toBe('"reads";r=599;t=42');
  }
});

test('rate-limit headers are on the refusal of a known caller', async () => {
  const { rateLimits } = admitted();
  facade.admission.answer = () => ({ admitted: false, code: 'INSUFFICIENT_SCOPE', message: 'No.', rateLimits });
  const answer = await facade.get('/v1/business');
  expect([answer.statusCode, answer.headers['ratelimit']]).toEqual([403, '"reads";r=599;t=42']);
});

test('rate-limit headers are missing if the caller is unknown', async () => {
  expect((await facade.get('/v1/openapi.json')).headers['ratelimit-policy']).toBeUndefined();
});

test('429 says how long to wait, in whole seconds', async () => {
  facade.admission.answer = () => ({
    admitted: false,
    code: 'RATE_LIMITED',
    message: 'Slow down.',
    retryAfterSeconds: 17.2,
    rateLimits: [
      { name: 'writes', quota: 60, remaining: 5, resetSeconds: 18 },
      { name: 'workspace', quota: 2000, remaining: 0, resetSeconds: 18 },
    ],
  });
  const answer = await facade.post('/v1/contracts', {});
  expect(answer.statusCode).toBe(429);
  expect(answer.headers['retry-after']).toBe('18');
  expect(answer.headers['ratelimit']).toBe('"writes";r=5;t=18, "workspace";r=0;t=18');
  expect(answer.json().error).toMatchObject({ type: 'rate_limit_error', code: 'RATE_LIMITED', status: 429 });
});

test('while workspaces is down every answer is 503', async () => {
  facade.admission.answer = () => Promise.reject(unavailable('Admission'));
  const answer = await facade.get('/v1/business');
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('1');
  expect(answer.json().error).toMatchObject({ type: 'api_error', code: 'SERVICE_UNAVAILABLE' });
  expect(facade.gateway.calls).toEqual([]);
});

test("admission's tokens are passed to the graph unchanged", async () => {
  await facade.get('/v1/business');
  expect(facade.gateway.calls[0]?.caller.tokens).toEqual({
    workspaces: 'w',
    contracts: 'c',
    review: 'r',
    payments: 'p',
  });
});

test.each([
  ['/v1/unknown', null],
  ['/v1', null],
  ['/v1/contracts/%ZZ', null],
  [`/v1/contracts/${'x'.repeat(500)}`, 'read'],
])('%s is not shown to callers who are not admitted', async (url, scope) => {
  facade.admission.answer = () => ({
    admitted: false,
    code: 'INVALID_CREDENTIAL',
    message: 'No credential is in Basic x.',
    rateLimits: [],
  });
  expect((await facade.get(url)).statusCode).toBe(401);
  expect(facade.admission.asked).toMatchObject([{ scope, limit: 'reads' }]);
});
