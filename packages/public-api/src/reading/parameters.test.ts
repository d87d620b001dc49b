import { expect, test } from 'vitest';
import { contractFilters, ContractListQuery, IdParams, NoQuery, pageQuery } from '../shapes/page.js';
import { createParameterReader } from './reader.js';

const read = createParameterReader(ContractListQuery);

test('defaults are 50 per page and no tombstones; 25 per page for an MCP list', () => {
  expect(read({})).toEqual({ ok: true, value: { limit: 50, includeDeleted: 'false' } });
  expect(createParameterReader(pageQuery(contractFilters, 25))({})).toMatchObject({ value: { limit: 25 } });
});

test.each(['1', '100'])('%s is a limit', (limit) => {
  expect(read({ limit })).toMatchObject({ value: { limit: Number(limit) } });
});

test.each(['0', '101', '-1', '', ' 5', '5.0', '1e1', '05', '0x5', '9'.repeat(30)])('%j is not a limit', (limit) => {
  expect(read({ limit })).toMatchObject({ ok: false, problems: [{ path: 'limit' }] });
});

test('reports all problems of a query together', () => {
  const query = { status: 'open', includeDeleted: 'yes', updatedSince: '2026-01-01', externalReference: '', page: '2' };
  expect(read(query)).toMatchObject({
    problems: [
      { path: 'page', code: 'unknown_property' },
      { path: 'status', code: 'invalid_value' },
      { path: 'updatedSince', code: 'invalid_format' },
      { path: 'includeDeleted', code: 'invalid_value' },
      { path: 'externalReference', code: 'too_short' },
    ],
  });
});

test.each([
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000000Z'],
  ['2026-01-31T09:00:00.5Z', '2026-01-31T09:00:00.500000Z'],
  ['2026-01-31T09:00:00.123456789Z', '2026-01-31T09:00:00.123456Z'],
])('updatedSince %s is %s', (updatedSince, canonical) => {
  expect(read({ updatedSince })).toMatchObject({ value: { updatedSince: canonical } });
});

test.each(['2026-01-31T09:00:00+00:00', '2026-02-30T00:00:00Z', '2026-01-31T09:00:00z', '0000-01-01T00:00:00Z'])(
  '%s is not an instant of this contract',
  (updatedSince) => {
    expect(read({ updatedSince })).toMatchObject({ problems: [{ path: 'updatedSince', code: 'invalid_format' }] });
  },
);

test.each([
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '018f4e5c-7a3b-7c1d-9e2f-0123456789ab',
  '018F4E5C-7A3B-8C1D-9E2F-0123456789AB',
])('%s is an id, returned in lower case', (id) => {
  expect(createParameterReader(IdParams)({ id })).toEqual({ ok: true, value: { id: id.toLowerCase() } });
});

test.each(['', 'abc', '018f4e5c-7a3b-9c1d-9e2f-0123456789ab', '018f4e5c7a3b7c1d9e2f0123456789ab'])(
  '%j is not an id',
  (id) => {
    expect(createParameterReader(IdParams)({ id })).toMatchObject({
      problems: [{ path: 'id', code: 'invalid_format' }],
    });
  },
);

test('an operation without parameters refuses all', () => {
  expect(createParameterReader(NoQuery)({ limit: '5' })).toMatchObject({
    problems: [{ path: 'limit', code: 'unknown_property' }],
  });
});
