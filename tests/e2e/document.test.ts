import { expect, it } from 'vitest';
import { api } from './integrator.js';

it('the document is public, at the address that it names, and revalidated by its ETag', async () => {
  const first = await api.raw({ method: 'GET', path: '/openapi.json' });
  expect(first.status).toBe(200);
  const document = JSON.parse(first.text) as { openapi: string; info: { version: string } };
  expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0']);
  const headers = { 'if-none-match': first.headers.get('etag')! };
  const again = await api.raw({ method: 'GET', path: '/openapi.json', headers });
  expect([again.status, again.text]).toEqual([304, '']);
});

it('the document has the sixteen operations of the public contract', () => {
  const listed = api.document.operations.map(({ method, path }) => `${method} ${path}`);
  expect(listed.toSorted()).toEqual(
    [
      'GET /balances',
      'GET /business',
      'GET /contracts',
      'GET /contracts/{id}',
      'GET /contracts/{id}/milestones',
      'GET /milestones/{id}',
      'GET /openapi.json',
      'GET /payments',
      'GET /payments/{id}',
      'GET /timesheets',
      'GET /timesheets/{id}',
      'POST /contracts',
      'POST /milestones/{id}/approve',
      'POST /milestones/{id}/reject',
      'POST /timesheets/{id}/approve',
      'POST /timesheets/{id}/reject',
    ].toSorted(),
  );
});

it('every operation declares every error that the public contract names', () => {
  const errors = [400, 401, 403, 404, 409, 413, 422, 429, 500, 503].map(String);
  for (const { responses, id, isPublic } of api.document.operations) {
    if (isPublic) continue;
    expect([id, Object.keys(responses)]).toEqual([id, expect.arrayContaining(errors)]);
  }
});
