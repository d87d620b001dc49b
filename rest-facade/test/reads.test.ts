import { DomainError, unavailable } from '@payroll/kernel';
import { metrics } from '@payroll/runtime';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startFacade } from './support/facade.js';
import { balances, business, detail, ID, milestone, payment, summary, timesheet } from './support/samples.js';

const facade = await startFacade('facade_reads');
afterAll(() => facade[Symbol.asyncDispose]());
beforeEach(() => {
  facade.gateway.calls.length = 0;
});

const page = (node: object) => ({ data: [node], hasMore: true, nextCursor: 'next' });

test.each([
  ['business', '/v1/business', business],
  ['contract', `/v1/contracts/${ID}`, detail],
  ['timesheet', `/v1/timesheets/${ID}`, timesheet],
  ['milestone', `/v1/milestones/${ID}`, milestone],
  ['payment', `/v1/payments/${ID}`, payment],
  ['balances', '/v1/balances', balances],
])('%s is returned without an envelope', async (field, url, resource) => {
  facade.gateway.answers[field] = () => resource;
  const answer = await facade.get(url);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.json()).toEqual(resource);
});

test.each([
  ['contracts', summary],
  ['timesheets', timesheet],
  ['payments', payment],
])('%s are returned as a list', async (field, resource) => {
  facade.gateway.answers[field] = () => page(resource);
  const answer = await facade.get(`/v1/${field}`);
  expect(answer.json()).toEqual({ data: [resource], hasMore: true, nextCursor: 'next' });
});

test.each(['contracts', 'timesheets', 'payments'])('an empty list of %s has no next page', async (field) => {
  facade.gateway.answers[field] = () => ({ data: [], hasMore: false, nextCursor: null });
  expect((await facade.get(`/v1/${field}`)).body).toBe('{"data":[],"hasMore":false,"nextCursor":null}');
});

test('filters reach the graph typed, with their defaults', async () => {
  facade.gateway.answers['contracts'] = () => page(summary);
  await facade.get('/v1/contracts');
  await facade.get(
    '/v1/contracts?limit=7&includeDeleted=true&status=draft&externalReference=a%20b+c&updatedSince=1970-01-01T00:00:00Z&cursor=abc',
  );
  expect(facade.gateway.calls.map(({ variables }) => variables)).toEqual([
    { limit: 50, includeDeleted: false },
    {
      limit: 7,
      includeDeleted: true,
      status: 'draft',
      externalReference: 'a b c',
      updatedSince: '1970-01-01T00:00:00.000000Z',
      cursor: 'abc',
    },
  ]);
});

test.each([
  ['/v1/contracts', 'limit=0', 'limit out_of_range'],
  ['/v1/contracts', 'limit=101', 'limit out_of_range'],
  ['/v1/contracts', 'limit=ten', 'limit invalid_type'],
  ['/v1/contracts', 'status=open', 'status invalid_value'],
  ['/v1/contracts', 'includeDeleted=1', 'includeDeleted invalid_value'],
  ['/v1/contracts', 'contractId=x', 'contractId unknown_property'],
  ['/v1/contracts', 'limit=1&limit=2', 'limit repeated'],
  ['/v1/contracts', 'externalReference=%FF', 'externalReference invalid_encoding'],
  ['/v1/contracts', 'externalReference=%00', 'externalReference invalid_characters'],
  ['/v1/contracts', 'cursor=', 'cursor too_short'],
  ['/v1/timesheets', 'contractId=x', 'contractId invalid_format'],
  ['/v1/timesheets', 'includeDeleted=true', 'includeDeleted unknown_property'],
  ['/v1/payments', 'updatedSince=2026-01-01T00:00:00', 'updatedSince invalid_format'],
  ['/v1/business', 'x', 'x unknown_property'],
  [`/v1/contracts/${ID}`, '__proto__=1', '__proto__ unknown_property'],
])('%s?%s is 400', async (path, query, problem) => {
  const answer = await facade.get(`${path}?${query}`);
  expect(answer.statusCode).toBe(400);
  const { type, code, details } = answer.json().error;
  expect([type, code]).toEqual(['validation_error', 'INVALID_REQUEST']);
  expect(details.map((one: { path: string; code: string }) => `${one.path} ${one.code}`)).toEqual([problem]);
  expect(facade.gateway.calls).toEqual([]);
});

describe('milestones of a contract', () => {
  const url = `/v1/contracts/${ID}/milestones`;
  beforeEach(() => {
    facade.gateway.answers['milestones'] = () => page(milestone);
    facade.gateway.answers['contract'] = () => ({ id: ID });
  });

  test('are returned as a list', async () => {
    const answer = await facade.get(`${url}?status=submitted&limit=7&cursor=abc`);
    expect(answer.json()).toEqual({ data: [milestone], hasMore: true, nextCursor: 'next' });
    expect(facade.gateway.calls.map(({ variables }) => variables)).toEqual([
      { contractId: ID, status: 'submitted', limit: 7, cursor: 'abc' },
    ]);
  });

  test('are 404 if the workspace has no such contract', async () => {
    facade.gateway.answers['contract'] = () => null;
    expect((await facade.get(url)).json().error).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test('are 503 if it is unknown whether the contract exists', async () => {
    facade.gateway.answers['contract'] = () => {
      throw unavailable('The contracts service');
    };
    expect((await facade.get(url)).statusCode).toBe(503);
  });

  test('have no updatedSince', async () => {
    expect((await facade.get(`${url}?updatedSince=1970-01-01T00:00:00Z`)).json().error.details).toEqual([
      { path: 'updatedSince', code: 'unknown_property' },
    ]);
  });
});

test.each([
  ['the service is away', () => Promise.reject(unavailable('The payments service'))],
  ['the service fails', () => Promise.reject(new DomainError('INTERNAL_ERROR', 'Broken.'))],
  ['the answer does not fit', () => ({ ...balances, available: [{ amount: '1e3', currency: 'EUR' }] })],
])('balances are 503, never zero, when %s', async (_why, answer) => {
  facade.gateway.answers['balances'] = answer;
  const { statusCode, headers, body } = await facade.get('/v1/balances');
  expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
  expect(body).not.toContain('available":[');
});

describe('an answer', () => {
  const text = { ...balances, pending: [] };
  const misfit = { ...balances, available: [{ amount: '1e3', currency: 'a secret' }] };
  const facadeThatCompares = (checkedShare: number) => startFacade(`facade_text_${checkedShare}`, { checkedShare });

  test.each([0, 1])('is passed on unchanged, with a share of %d checked against the contract', async (share) => {
    await using own = await facadeThatCompares(share);
    own.gateway.answers['balances'] = () => text;
    own.gateway.answers['timesheets'] = () => ({ data: [timesheet], hasMore: false, nextCursor: null });
    own.gateway.answers['payment'] = () => null;
    const answer = await own.get('/v1/balances');
    expect([answer.body, answer.headers['content-type']]).toEqual([
      JSON.stringify(text),
      'application/json; charset=utf-8',
    ]);
    expect((await own.get('/v1/timesheets')).json()).toEqual({ data: [timesheet], hasMore: false, nextCursor: null });
    expect((await own.get(`/v1/payments/${ID}`)).statusCode).toBe(404);
  });

  test('is refused, counted and logged without its values if it is checked and invalid', async () => {
    const counted = vi.spyOn(metrics.contractViolations, 'add');
    await using own = await facadeThatCompares(1);
    own.gateway.answers['balances'] = () => misfit;
    own.gateway.answers['timesheet'] = () => ({ ...timesheet, status: 'a secret' });
    expect((await own.get('/v1/balances')).statusCode).toBe(503);
    expect((await own.get(`/v1/timesheets/${ID}`)).statusCode).toBe(500);
    expect(counted.mock.calls).toEqual([[{ operation: 'getBalances' }], [{ operation: 'getTimesheet' }]]);
    expect(own.logged.join('')).toContain('available[0].amount (invalid_format)');
    expect(own.logged.join('')).toContain('status (invalid_value)');
    expect(own.logged.join('')).not.toContain('secret');
  });

  test('is not parsed if it is not checked', async () => {
    await using own = await facadeThatCompares(0);
    own.gateway.answers['balances'] = () => misfit;
    expect((await own.get('/v1/balances')).json()).toEqual(misfit);
  });
});

test('balances that a caller may not see are 403', async () => {
  facade.gateway.answers['balances'] = () => Promise.reject(new DomainError('INSUFFICIENT_SCOPE', 'No.'));
  expect((await facade.get('/v1/balances')).statusCode).toBe(403);
});

test('ids are accepted in either case and requested in lower case', async () => {
  facade.gateway.answers['contract'] = () => detail;
  await facade.get(`/v1/contracts/${ID.toUpperCase()}`);
  expect(facade.gateway.calls[0]?.variables).toEqual({ id: ID });
});

test('a malformed id is 400, an unknown one is 404', async () => {
  facade.gateway.answers['payment'] = () => null;
  for (const id of ['one', 'x'.repeat(101), 'x'.repeat(5_000)]) {
    const { status, details } = (await facade.get(`/v1/payments/${id}`)).json().error;
    expect([status, details]).toEqual([400, expect.arrayContaining([{ path: 'id', code: 'invalid_format' }])]);
  }
  expect((await facade.get(`/v1/payments/${ID}`)).json().error).toMatchObject({ type: 'not_found', code: 'NOT_FOUND' });
});

test('a HEAD is a GET without its body', async () => {
  facade.gateway.answers['business'] = () => business;
  const answer = await facade.app.inject({
    method: 'HEAD',
    url: '/v1/business',
    headers: { authorization: 'Bearer good' },
  });
  expect([answer.statusCode, answer.body]).toEqual([200, '']);
});

test('a refusal of a service keeps its code and details', async () => {
  facade.gateway.answers['contracts'] = () => {
    throw new DomainError('INVALID_REQUEST', 'Not a cursor.', {
      details: [{ path: 'cursor', code: 'invalid_cursor' }],
    });
  };
  expect((await facade.get('/v1/contracts?cursor=x')).json().error).toMatchObject({
    status: 400,
    message: 'Not a cursor.',
    details: [{ path: 'cursor', code: 'invalid_cursor' }],
  });
});

test('the documents select exactly what the answers show', () => {
  expect(facade.gateway.documents.get('business')).toBe(
    'query business { business { id name country kybStatus createdAt updatedAt } }',
  );
  expect(facade.gateway.documents.get('contract')).toContain('worker { id name }');
  expect(facade.gateway.documents.get('contract')).toContain(
    'deliverables { id platform format brief dueDate amount { amount currency } sortOrder }',
  );
  expect(facade.gateway.documents.get('timesheets')).toMatch(
    /^query timesheets\(\$status: TimesheetStatus, .*\) \{ timesheets\(status: \$status, .*\) \{ data: nodes \{ id .* \} hasMore nextCursor \} \}$/,
  );
});
