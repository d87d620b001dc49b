import { DomainError, newId, type ErrorCode } from '@payroll/kernel';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { IdempotencyClaims } from '../src/idempotency/claims.js';
import { age } from './support/facade-database.js';
import { startFacade, type Facade } from './support/facade.js';
import { admitted } from './support/fakes.js';
import { ID, summary, timesheet } from './support/samples.js';

let facade: Facade;
beforeAll(async () => {
  facade = await startFacade('facade_idempotency', { deadlineMs: 500 });
});
afterAll(() => facade[Symbol.asyncDispose]());

const principal = newId();
beforeEach(() => {
  facade.gateway.calls.length = 0;
  facade.admission.answer = () => admitted(principal);
  facade.gateway.answers['createContractDraft'] = () => summary;
  facade.gateway.answers['approveTimesheet'] = () => ({
    ...timesheet,
    status: 'approved',
    paymentId: ID,
    version: 'v2',
  });
});

const approve = (key: string, expectedVersion = 'v1') =>
  facade.post(`/v1/timesheets/${ID}/approve`, { expectedVersion }, { 'idempotency-key': key });
const operationIds = () => facade.gateway.calls.map(({ variables }) => variables['operationId']);
const refuseOnce = (code: ErrorCode) => {
  const { approveTimesheet: before } = facade.gateway.answers;
  facade.gateway.answers['approveTimesheet'] = () => {
    Object.assign(facade.gateway.answers, { approveTimesheet: before });
    throw new DomainError(code, 'As the service said.');
  };
};

test('the same request again is answered from the first, to the byte, and says so', async () => {
  const key = newId();
  const first = await approve(key);
  const second = await approve(key);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body]);
  expect(facade.gateway.calls).toHaveLength(1);
});

test('a replay is admitted like any request', async () => {
  const key = newId();
  await approve(key);
  facade.admission.answer = () => ({
    admitted: false,
    code: 'INSUFFICIENT_SCOPE',
    message: 'No longer.',
    rateLimits: [],
  });
  expect((await approve(key)).statusCode).toBe(403);
});

test('a key serves one request, also across operations; another principal has its own', async () => {
  const key = newId();
  await approve(key);
  const reused = { status: 409, type: 'conflict', code: 'IDEMPOTENCY_KEY_REUSED' };
  expect((await approve(key, 'v2')).json().error).toMatchObject(reused);
  expect((await facade.post('/v1/contracts', { title: 't' }, { 'idempotency-key': key })).json().error).toMatchObject(
    reused,
  );
  facade.admission.answer = () => admitted(newId());
  expect((await approve(key)).headers['idempotency-replayed']).toBeUndefined();
});

test('an answer from a history of the database that is lost is none: the retry asks again, by the same operation', async () => {
  const key = newId();
  const complete = vi.spyOn(IdempotencyClaims.prototype, 'complete').mockResolvedValueOnce('elsewhere');
  const answers = [await approve(key), await approve(key)];
  complete.mockRestore();
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 200]);
  const [first, second] = operationIds();
  expect(second).toBe(first);
  const histories = facade.gateway.calls.map(({ caller }) => caller.history);
  expect(histories).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), histories[0]]);
});

test('while the first is under way the second is told so', async () => {
  const key = newId();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<object>();
  facade.gateway.answers['approveTimesheet'] = () => (reach(), held);
  const first = approve(key);
  await reached;
  const second = await approve(key);
  expect(second.json().error).toMatchObject({ status: 409, code: 'OPERATION_IN_PROGRESS' });
  expect(second.headers['retry-after']).toBe('1');
  release(timesheet);
  expect((await first).statusCode).toBe(200);
});

test.each([
  'NOT_FOUND',
  'STALE_RESOURCE_VERSION',
  'INVALID_STATE',
  'EXTERNAL_REFERENCE_EXISTS',
  'WRITES_DISABLED',
] as const)('%s frees the key: its next use is a new operation, whatever it asks', async (code) => {
  const key = newId();
  refuseOnce(code);
  expect((await approve(key)).json().error.code).toBe(code);
  expect((await approve(key, 'v2')).statusCode).toBe(200);
  expect(new Set(operationIds()).size).toBe(2);
});

test.each(['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'OPERATION_IN_PROGRESS', 'OPERATION_EXPIRED'] as const)(
  '%s leaves the operation open: a retry goes on with the same id at once',
  async (code) => {
    const key = newId();
    refuseOnce(code);
    expect((await approve(key)).json().error.code).toBe(code);
    expect((await approve(key, 'v2')).json().error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await approve(key)).statusCode).toBe(200);
    const [first, second] = operationIds();
    expect(second).toBe(first);
  },
);

test('a retry that is turned away does not free the key of an operation that may have been applied', async () => {
  const key = newId();
  refuseOnce('SERVICE_UNAVAILABLE');
  await approve(key);
  refuseOnce('INSUFFICIENT_SCOPE');
  expect((await approve(key)).statusCode).toBe(403);
  await approve(key);
  expect(new Set(operationIds()).size).toBe(1);
});

test('an operation that outlasts the deadline is 503, and a retry takes it over at once', async () => {
  const key = newId();
  const { approveTimesheet } = facade.gateway.answers;
  facade.gateway.answers['approveTimesheet'] = () => new Promise(() => {});
  expect((await approve(key)).statusCode).toBe(503);
  Object.assign(facade.gateway.answers, { approveTimesheet });
  expect((await approve(key)).statusCode).toBe(200);
  expect(new Set(operationIds()).size).toBe(1);
});

test('what is begun and not finished within 7 days has expired as well, for ever: nobody knows how far it came', async () => {
  const key = newId();
  refuseOnce('SERVICE_UNAVAILABLE');
  await approve(key);
  await age(facade.database.db, key, '7 days');
  for (const after of ['0 days', '1 year']) {
    await age(facade.database.db, key, after);
    await facade.database.claims.emptyExpired();
    expect((await approve(key)).json().error).toMatchObject({ status: 409, code: 'OPERATION_EXPIRED' });
  }
  expect(facade.gateway.calls).toHaveLength(1);
});

test('the same JSON is the same request, however it is written; another digit or order of a list is not', async () => {
  const key = newId();
  const send = (body: string) => facade.post('/v1/contracts', body, { 'idempotency-key': key });
  const first = await send('{"title":"t","skills":["a","b"],"compensation":{"type":"hourly","rate":1}}');
  expect(first.statusCode).toBe(201);
  for (const same of [
    '{"compensation":{"rate":1.0,"type":"hourly"},"skills":["a","b"],"title":"t"}',
    '{\n  "title": "\\u0074",\n  "skills": [ "a", "b" ],\n  "compensation": { "type": "hourly", "rate": 1e0 }\n}\n',
  ]) {
    const replay = await send(same);
    expect([replay.statusCode, replay.headers['idempotency-replayed'], replay.body]).toEqual([201, 'true', first.body]);
  }
  for (const other of [
    '{"title":"t","skills":["b","a"],"compensation":{"type":"hourly","rate":1}}',
    '{"title":"t","skills":["a","b"],"compensation":{"type":"hourly","rate":1.00000000000000000001}}',
    '{"title":"t","skills":["a","b"],"compensation":{"type":"hourly","rate":1,"currency":"USD"}}',
  ]) {
    expect((await send(other)).json().error).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_REUSED' });
  }
  expect(facade.gateway.calls).toHaveLength(1);
});

test('after 7 days the key has expired', async () => {
  const key = newId();
  await approve(key);
  await age(facade.database.db, key, '7 days');
  expect((await approve(key)).json().error).toMatchObject({ status: 409, type: 'conflict', code: 'OPERATION_EXPIRED' });
});

test('no body is looked at twice: a refused one leaves the key unused', async () => {
  const key = newId();
  expect((await facade.post('/v1/contracts', {}, { 'idempotency-key': key })).statusCode).toBe(422);
  expect((await approve(key)).statusCode).toBe(200);
});

test.each([
  ['createContractDraft', '/v1/contracts', { title: 't' }, 201],
  ['approveTimesheet', `/v1/timesheets/${ID}/approve`, { expectedVersion: 'v1' }, 200],
  ['rejectTimesheet', `/v1/timesheets/${ID}/reject`, { expectedVersion: 'v1', reason: 'r' }, 200],
])('%s: what was committed though its answer was lost says that it is a replay', async (field, url, body, status) => {
  const key = newId();
  const kept = field === 'createContractDraft' ? summary : timesheet;
  facade.gateway.answers[field] = () => {
    throw new DomainError('SERVICE_UNAVAILABLE', 'Lost on the way.');
  };
  expect((await facade.post(url, body, { 'idempotency-key': key })).statusCode).toBe(503);
  facade.gateway.answers[field] = ({ caller }) => {
    caller.noteReplay?.();
    return kept;
  };
  const retry = await facade.post(url, body, { 'idempotency-key': key });
  expect([retry.statusCode, retry.headers['idempotency-replayed']]).toEqual([status, 'true']);
  expect(new Set(operationIds()).size).toBe(1);
});
