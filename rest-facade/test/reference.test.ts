import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFacade, type Facade } from './support/facade.js';

let facade: Facade;
beforeAll(async () => {
  facade = await startFacade('facade_reference');
});
afterAll(() => facade[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) => facade.app.inject({ method: 'GET', url, headers });

test('the reference is a page for everybody, which loads nothing from elsewhere', async () => {
  const page = await get('/v1/docs');
  expect(page.statusCode).toBe(200);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self';/),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'public, max-age=300',
  });
  expect(page.body).not.toMatch(/https?:/);
  expect(facade.admission.asked).toEqual([]);
});

test('the origin sends a browser there, and is nothing for a program', async () => {
  const toBrowser = await get('/', { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' });
  expect([toBrowser.statusCode, toBrowser.headers.location]).toEqual([302, '/v1/docs']);
  const toProgram = await get('/', { accept: '*/*' });
  expect([toProgram.statusCode, toProgram.json()['error'].code]).toEqual([404, 'NOT_FOUND']);
});

test.each([
  ['swagger-ui.css', 'text/css'],
  ['page.css', 'text/css'],
  ['swagger-ui-bundle.js', 'application/javascript'],
  ['start.js', 'application/javascript'],
  ['for-reading.js', 'application/javascript'],
  ['contents.js', 'application/javascript'],
])('%s is served beside it, and need not be sent twice', async (file, type) => {
  const answer = await get(`/v1/docs/${file}`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringContaining(type),
    'x-content-type-options': 'nosniff',
  });
  const again = await get(`/v1/docs/${file}`, { 'if-none-match': answer.headers.etag as string });
  expect(again.statusCode).toBe(304);
});

test.each(['index.html', 'package.json', 'oauth2-redirect.html', '..%2fpackage.json', '../../package.json'])(
  '%s is not',
  async (file) => {
    expect((await get(`/v1/docs/${file}`)).statusCode).toBeGreaterThanOrEqual(400);
  },
);
