import { DECIDED_CODES, ERROR_CODES, newId } from '@payroll/kernel';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { approved, codeOf, IdempotencyScene, refuse } from './support/idempotency-scene.js';

const scene = await IdempotencyScene.open('facade_freed_keys');
beforeEach(() => scene.begin());
afterAll(() => scene[Symbol.asyncDispose]());

test.each([...DECIDED_CODES])(
  'a recorded %s frees the key for a corrected request; the same request is refused in the same way',
  async (code) => {
    const key = newId();
    scene.decide = () => refuse(code);
    const first = await scene.approve(key);
    scene.decide = () => approved;
    const again = await scene.approve(key, 'v1', scene.other);
    expect([codeOf(first), codeOf(again)]).toEqual([code, code]);
    expect((await scene.approve(key, 'corrected')).statusCode).toBe(200);
    expect(codeOf(await scene.approve(key))).toBe('IDEMPOTENCY_KEY_REUSED');
    const [one, two, corrected] = scene.operationIds;
    expect([two === one, corrected === one]).toEqual([true, false]);
  },
);

test.each(ERROR_CODES)('%s before the decision frees nothing: the retry is the same operation', async (code) => {
  const key = newId();
  scene.onTheWay = (call) => call === 1 && refuse(code);
  expect(codeOf(await scene.approve(key))).toBe(code);
  expect(codeOf(await scene.approve(key, 'v2'))).toBe('IDEMPOTENCY_KEY_REUSED');
  expect((await scene.approve(key)).statusCode).toBe(200);
  expect(new Set(scene.operationIds).size).toBe(1);
});

test('a copy that is refused last does not free the key of an applied request', async () => {
  const key = newId();
  const { reached, release } = scene.holdFirstCall();
  const hold = scene.onTheWay;
  scene.onTheWay = async (call) => {
    await hold(call);
    if (call === 1) refuse('INSUFFICIENT_SCOPE');
  };
  const first = scene.approve(key);
  await reached;
  expect((await scene.approve(key, 'v1', scene.other)).statusCode).toBe(200);
  release();
  expect((await first).statusCode).toBe(403);
  expect(codeOf(await scene.approve(key, 'corrected'))).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('a late refusal of a duplicate does not free the key of the corrected request', async () => {
  const key = newId();
  const { reached, release } = scene.holdFirstCall();
  scene.decide = () => refuse('INVALID_STATE');
  const late = scene.approve(key);
  await reached;
  expect(codeOf(await scene.approve(key, 'v1', scene.other))).toBe('INVALID_STATE');
  scene.decide = () => approved;
  expect((await scene.approve(key, 'corrected', scene.other)).statusCode).toBe(200);
  release();
  expect(codeOf(await late)).toBe('INVALID_STATE');
  expect(codeOf(await scene.approve(key, 'another'))).toBe('IDEMPOTENCY_KEY_REUSED');
  expect((await scene.approve(key, 'corrected')).headers['idempotency-replayed']).toBe('true');
});
