import { operations } from '@payroll/public-api';
import { afterAll, expect, test } from 'vitest';
import { startFacade } from './support/facade.js';

const facade = await startFacade('facade_open_api');
afterAll(() => facade[Symbol.asyncDispose]());

const get = (headers: Record<string, string> = {}, query = '') =>
  facade.app.inject({ method: 'GET', url: `/v1/openapi.json${query}`, headers });

test('the document is public, and cached for a short while', async () => {
  const answer = await get();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'x-request-id': expect.any(String),
  });
  expect(answer.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, servers: [{ url: '/v1' }] });
  expect(facade.admission.asked).toEqual([]);
});

test('it lists every operation, and itself', async () => {
  const { paths } = (await get()).json() as { paths: Record<string, Record<string, unknown>> };
  const listed = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const known = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
  expect(listed.toSorted()).toEqual([...known, 'GET /openapi.json'].toSorted());
});

test.each([
  ['its ETag', (etag: string) => etag],
  ['its ETag among others', (etag: string) => `"old", W/${etag}`],
  ['any copy', () => '*'],
])('a client with %s gets 304 without a body', async (_what, ifNoneMatch) => {
  const { etag } = (await get()).headers as { etag: string };
  const answer = await get({ 'if-none-match': ifNoneMatch(etag) });
  expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag]);
});

test('a client with an outdated document gets this one', async () => {
  expect((await get({ 'if-none-match': '"old"' })).statusCode).toBe(200);
});

test('the document accepts no query', async () => {
  const answer = await get({}, '?format=yaml');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.json().error).toMatchObject({ status: 400, details: [{ path: 'format', code: 'unknown_property' }] });
});
