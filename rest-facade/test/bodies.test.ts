import { newId } from '@payroll/kernel';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startFacade } from './support/facade.js';
import { ID, summary, timesheet } from './support/samples.js';

const facade = await startFacade('facade_bodies');
facade.gateway.answers['createContractDraft'] = () => summary;
facade.gateway.answers['approveTimesheet'] = () => ({ ...timesheet, status: 'approved', paymentId: ID });
facade.gateway.answers['rejectTimesheet'] = () => ({ ...timesheet, status: 'rejected' });
afterAll(() => facade[Symbol.asyncDispose]());
beforeEach(() => {
  facade.gateway.calls.length = 0;
});

test('a draft is 201 with its summary; the service gets amounts as text and the defaults', async () => {
  const answer = await facade.post(
    '/v1/contracts',
    '{"title":"t","compensation":{"type":"hourly","rate":0.1000000000000000055}}',
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
  const approved = await facade.post(`/v1/timesheets/${ID}/approve`, { expectedVersion: 'v1' });
  expect([approved.statusCode, approved.json().status, approved.json().paymentId]).toEqual([200, 'approved', ID]);
  const rejected = await facade.post(`/v1/timesheets/${ID}/reject`, { expectedVersion: 'v1', reason: ' wrong hours ' });
  expect([rejected.statusCode, rejected.json().status]).toEqual([200, 'rejected']);
  const operationId = expect.any(String) as string;
  expect(facade.gateway.calls.map(({ variables }) => variables)).toEqual([
    { id: ID, expectedVersion: 'v1', operationId },
    { id: ID, expectedVersion: 'v1', reason: 'wrong hours', operationId },
  ]);
});

test('describes valid values in words, in addition to the closed codes', async () => {
  const headers = { authorization: 'Bearer good', 'content-type': 'text/plain' };
  const url = '/v1/contracts?limit=5&limit=6';
  const request = await facade.app.inject({ method: 'POST', url, headers, payload: '{}' });
  expect(request.json().error).toMatchObject({
    message:
      'The request is not valid: limit may be given once; limit is not known here; Content-Type must be application/json; Idempotency-Key is required: 16 to 128 letters, digits, _ or -, a new one for each write.',
    details: [
      { path: 'limit', code: 'repeated' },
      { path: 'limit', code: 'unknown_property' },
      { path: 'Content-Type', code: 'invalid_value' },
      { path: 'Idempotency-Key', code: 'required' },
    ],
  });
  const body = await facade.post('/v1/contracts', { title: '', employmentType: 'intern' });
  expect(body.json().error).toMatchObject({
    status: 422,
    message:
      'The body does not fit: title must be text of 1 to 200 characters; employmentType must be one of employee, contractor.',
    details: [
      { path: 'title', code: 'too_short' },
      { path: 'employmentType', code: 'invalid_value' },
    ],
  });
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

test.each(['garbage', ';;', 'text/plain'])('an unknown path is 404 whatever its Content-Type is: %j', async (type) => {
  for (const [method, url] of [
    ['PATCH', '/v1/contracts'],
    ['POST', '/v1/unknown'],
    ['POST', '/unknown'],
  ] as const) {
    const headers = { authorization: 'Bearer good', 'content-type': type };
    const answer = await facade.app.inject({ method, url, headers, payload: '{"title":"t"}' });
    expect([url, answer.statusCode, answer.json().error.code]).toEqual([url, 404, 'NOT_FOUND']);
  }
});

test('Content-Type may name UTF-8', async () => {
  const type = 'Application/JSON; charset="UTF-8"';
  expect((await facade.post('/v1/contracts', { title: 't' }, { 'content-type': type })).statusCode).toBe(201);
});

test('an encoded body is 400, whatever it contains', async () => {
  const answer = await facade.post('/v1/contracts', { title: 't' }, { 'content-encoding': 'gzip' });
  expect(answer.json().error).toMatchObject({ status: 400, details: [{ path: 'Content-Encoding' }] });
});

test('a byte order mark before the JSON is ignored', async () => {
  expect((await facade.post('/v1/contracts', '\ufeff{"title":"t"}')).statusCode).toBe(201);
});

test.each(['null', '[]', '"text"', '5', 'true'])('the body %s is JSON but invalid: 422', async (body) => {
  expect((await facade.post('/v1/contracts', body)).json().error).toMatchObject({
    status: 422,
    code: 'VALIDATION_FAILED',
    details: [{ path: '', code: 'invalid_type' }],
  });
});

const notUtf8 = Buffer.from('{"title":"\xff"}', 'latin1');
const utf16 = Buffer.from('{"title":"t"}', 'utf16le');
test.each(['', '{', '{"title":"t",}', 'title=t', '{"title":NaN}', '['.repeat(400_000), notUtf8, utf16])(
  'the body %# is 400',
  async (body) => {
    expect((await facade.post('/v1/contracts', body)).json().error).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
    });
  },
);

test('an invalid body is 422 with every problem and its path', async () => {
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

test('a body may have at most 1 MiB', async () => {
  const fill = (size: number) => `{"title":"t"${' '.repeat(size - 13)}}`;
  expect((await facade.post('/v1/contracts', fill(1_048_576))).statusCode).toBe(201);
  const answer = await facade.post('/v1/contracts', fill(1_048_577));
  expect(answer.json().error).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE', type: 'validation_error' });
});
