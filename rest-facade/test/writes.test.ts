import { DomainError, newId, type ErrorCode } from '@payroll/kernel';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { age } from './support/facade-database.js';
import { startFacade, type Facade } from './support/facade.js';
import { admitted } from './support/fakes.js';
import { ID, summary, timesheet } from './support/samples.js';

let facade: Facade;
beforeAll(async () => {
  facade = await startFacade('facade_writes', { deadlineMs: 500 });
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
  facade.gateway.answers['rejectTimesheet'] = () => ({ ...timesheet, status: 'rejected' });
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

test('a draft is 201 with its summary; the service gets amounts as text and the defaults', async () => {
  const answer = await facade.post(
    '/v1/contracts',
    '{"title":"t","compensation":{"type":"hourly","rate":0.1000000000000000055},"creatorTerms":null}'.replace(
      ',"creatorTerms":null',
      '',
    ),
  );
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toEqual(summary);
  expect(answer.headers['idempotency-replayed']).toBeUndefined();
  expect(facade.gateway.calls[0]?.variables).toEqual({
    input: { title: 't', compensation: { type: 'hourly', rate: '0.1000000000000000055', currency: 'USD' } },
    operationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('approve and reject send version, trimmed reason and operation id', async () => {
  const approved = await approve(newId());
  expect([approved.statusCode, approved.json().status, approved.json().paymentId]).toEqual([200, 'approved', ID]);
  const rejected = await facade.post(`/v1/timesheets/${ID}/reject`, { expectedVersion: 'v1', reason: ' wrong hours ' });
  expect([rejected.statusCode, rejected.json().status]).toEqual([200, 'rejected']);
  const operationId = expect.any(String) as string;
  expect(facade.gateway.calls.map(({ variables }) => variables)).toEqual([
    { id: ID, expectedVersion: 'v1', operationId },
    { id: ID, expectedVersion: 'v1', reason: 'wrong hours', operationId },
  ]);
});

test.each([undefined, '', 'short', 'x'.repeat(15), 'x'.repeat(129), 'spaces are not allowed', 'größe-größe-größe'])(
  'Idempotency-Key %j is 400',
  async (key) => {
    const headers = {
      authorization: 'Bearer good',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const answer = await facade.app.inject({ method: 'POST', url: '/v1/contracts', headers, payload: '{"title":"t"}' });
    expect(answer.json().error).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      details: [{ path: 'Idempotency-Key' }],
    });
  },
);

test.each([
  undefined,
  'text/plain',
  'application/json; charset=latin1',
  'application/xml',
  'garbage',
  'application/jsonp',
])('Content-Type %j is 400', async (type) => {
  const headers = {
    authorization: 'Bearer good',
    'idempotency-key': newId(),
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  const answer = await facade.app.inject({
    method: 'POST',
    url: '/v1/contracts',
    headers,
    payload: Buffer.from('{"title":"t"}'),
  });
  expect(answer.json().error).toMatchObject({ status: 400, code: 'INVALID_REQUEST', type: 'validation_error' });
});

test('Content-Type may name UTF-8', async () => {
  const type = 'Application/JSON; charset="UTF-8"';
  expect((await facade.post('/v1/contracts', { title: 't' }, { 'content-type': type })).statusCode).toBe(201);
});

test.each(['', '{', '{"title":"t",}', 'title=t'])('the body %j is 400', async (body) => {
  expect((await facade.post('/v1/contracts', body)).json().error).toMatchObject({
    status: 400,
    code: 'INVALID_REQUEST',
  });
});

test('a body that does not fit is 422 with every problem and its path', async () => {
  const answer = await facade.post('/v1/contracts', { milestones: [{ title: 'm', amount: '5' }], color: 1 });
  expect(answer.statusCode).toBe(422);
  expect(answer.json().error).toMatchObject({ type: 'validation_error', code: 'VALIDATION_FAILED' });
  expect(answer.json().error.details).toEqual([
    { path: 'title', code: 'required' },
    { path: 'color', code: 'unknown_property' },
    { path: 'milestones[0].amount', code: 'invalid_type' },
  ]);
  expect(facade.gateway.calls).toEqual([]);
});

test('1 MiB is the most a body may have', async () => {
  const fill = (size: number) => `{"title":"t"${' '.repeat(size - 13)}}`;
  expect((await facade.post('/v1/contracts', fill(1_048_576))).statusCode).toBe(201);
  const answer = await facade.post('/v1/contracts', fill(1_048_577));
  expect(answer.json().error).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE', type: 'validation_error' });
});

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
