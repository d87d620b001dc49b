import { newId } from '@payroll/kernel';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startFacade } from './support/facade.js';
import { admitted } from './support/fakes.js';
import { approved, codeOf, IdempotencyScene, refuse } from './support/idempotency-scene.js';
import { ID, summary, timesheet } from './support/samples.js';

const scene = await IdempotencyScene.open('facade_idempotency');
beforeEach(() => scene.begin());
afterAll(() => scene[Symbol.asyncDispose]());

test('the same request again gets the first answer, byte for byte, with Idempotency-Replayed', async () => {
  const key = newId();
  const first = await scene.approve(key);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  for (const app of [scene.facade.app, scene.other]) {
    const again = await scene.approve(key, 'v1', app);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body]);
  }
  expect(scene.operations.applied.size).toBe(1);
});

test('twenty concurrent copies on two facades have one effect and one answer', async () => {
  const key = newId();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => scene.approve(key, 'v1', n % 2 ? scene.other : scene.facade.app)),
  );
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toHaveLength(1);
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  expect([...scene.operations.applied.values()]).toEqual([approved]);
});

test('a replay is admitted like any request', async () => {
  const key = newId();
  await scene.approve(key);
  scene.facade.admission.answer = () => ({
    admitted: false,
    code: 'INSUFFICIENT_SCOPE',
    message: 'No longer.',
    rateLimits: [],
  });
  expect((await scene.approve(key)).statusCode).toBe(403);
});

test('a key serves one request, even across operations; another principal has its own', async () => {
  const key = newId();
  await scene.approve(key);
  const reused = { status: 409, type: 'conflict', code: 'IDEMPOTENCY_KEY_REUSED' };
  expect((await scene.approve(key, 'v2')).json().error).toMatchObject(reused);
  expect(
    (await scene.facade.post('/v1/contracts', { title: 't' }, { 'idempotency-key': key })).json().error,
  ).toMatchObject(reused);
  scene.facade.admission.answer = () => admitted(newId());
  expect((await scene.approve(key)).headers['idempotency-replayed']).toBeUndefined();
});

test('a second request waits for the first one in progress, and gets its answer', async () => {
  const key = newId();
  const held = scene.holdFirstCall();
  const first = scene.approve(key);
  await held.reached;
  const second = scene.approve(key);
  // Another request is refused without waiting.
  expect(codeOf(await scene.approve(key, 'v2'))).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(scene.facade.gateway.calls).toHaveLength(1);
  held.release();
  const answers = [await first, await second];
  expect(answers.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true']);
  expect(answers[1]!.body).toBe(answers[0]!.body);
});

test('a request that waits too long for the first is told to retry shortly, and does not affect it', async () => {
  const key = newId();
  const patient = await scene.facade.another({ deadlineMs: 10_000 });
  const held = scene.holdFirstCall();
  const first = scene.approve(key, 'v1', patient);
  await held.reached;
  const second = await scene.approve(key, 'v1', patient);
  expect([second.statusCode, codeOf(second), second.headers['retry-after']]).toEqual([
    409,
    'OPERATION_IN_PROGRESS',
    '1',
  ]);
  expect(scene.facade.gateway.calls).toHaveLength(1);
  held.release();
  expect((await first).statusCode).toBe(200);
  expect((await scene.approve(key, 'v1', patient)).headers['idempotency-replayed']).toBe('true');
});

test('a second request calls the service itself if the first has failed', async () => {
  const key = newId();
  const held = scene.holdFirstCall();
  scene.decide = () => {
    scene.decide = () => approved;
    return refuse('SERVICE_UNAVAILABLE');
  };
  const first = scene.approve(key);
  await held.reached;
  const second = scene.approve(key);
  held.release();
  expect([(await first).statusCode, (await second).statusCode]).toEqual([503, 200]);
});

test('an operation that outlasts the deadline is 503, and its retry is not IN_PROGRESS', async () => {
  const key = newId();
  scene.onTheWay = (call) => (call === 1 ? new Promise(() => {}) : undefined);
  expect(codeOf(await scene.approve(key))).toBe('SERVICE_UNAVAILABLE');
  expect((await scene.approve(key)).statusCode).toBe(200);
  expect(new Set(scene.operationIds).size).toBe(1);
});

test('while the service is down every retry is 503, and the first one after that succeeds', async () => {
  const key = newId();
  scene.decide = () => refuse('SERVICE_UNAVAILABLE');
  for (const app of [scene.facade.app, scene.other, scene.facade.app]) {
    const answer = await scene.approve(key, 'v1', app);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  }
  scene.decide = () => approved;
  expect((await scene.approve(key, 'v1', scene.other)).statusCode).toBe(200);
});

test('the operation id depends on the request alone: another facade and another database derive the same', async () => {
  const key = newId();
  await scene.approve(key);
  await using elsewhere = await startFacade('facade_idempotency_restored');
  elsewhere.admission.answer = () => admitted(scene.principal);
  elsewhere.gateway.answers['approveTimesheet'] = () => approved;
  await elsewhere.post(`/v1/timesheets/${ID}/approve`, { expectedVersion: 'v1' }, { 'idempotency-key': key });
  expect(elsewhere.gateway.calls.map(({ variables }) => variables['operationId'])).toEqual(scene.operationIds);
});

test('equal JSON is the same request in any notation; another digit or list order is not', async () => {
  const key = newId();
  const send = (body: string) => scene.facade.post('/v1/contracts', body, { 'idempotency-key': key });
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
  expect(scene.operations.applied.size).toBe(1);
});

test('an invalid body leaves the key unused', async () => {
  const key = newId();
  expect((await scene.facade.post('/v1/contracts', {}, { 'idempotency-key': key })).statusCode).toBe(422);
  expect((await scene.approve(key)).statusCode).toBe(200);
});

test.each([
  ['createContractDraft', '/v1/contracts', { title: 't' }, 201],
  ['approveTimesheet', `/v1/timesheets/${ID}/approve`, { expectedVersion: 'v1' }, 200],
  ['rejectTimesheet', `/v1/timesheets/${ID}/reject`, { expectedVersion: 'v1', reason: 'r' }, 200],
])('%s: a committed operation whose answer was lost is replayed', async (field, url, body, status) => {
  const key = newId();
  const kept = field === 'createContractDraft' ? summary : timesheet;
  let isLost = true;
  scene.facade.gateway.answers[field] = (call) => {
    const answer = scene.operations.answer(call, () => kept);
    return isLost ? refuse('SERVICE_UNAVAILABLE') : answer;
  };
  expect((await scene.facade.post(url, body, { 'idempotency-key': key })).statusCode).toBe(503);
  isLost = false;
  const retry = await scene.facade.post(url, body, { 'idempotency-key': key });
  expect([retry.statusCode, retry.headers['idempotency-replayed']]).toEqual([status, 'true']);
  expect(scene.operations.applied.size).toBe(1);
});
