import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { ContractDetail, ContractSummary } from './shapes/resources.js';
import { pageSchema } from './shapes/page.js';
import { createSerializer } from './writer.js';

const summary = {
  id: '018f4e5c-7a3b-7c1d-9e2f-0123456789ab',
  title: 'A contract',
  employmentType: 'contractor',
  contractType: 'contractor_fixed',
  status: 'draft',
  worker: { id: null, name: null },
  startDate: null,
  endDate: '2026-12-31',
  createdAt: '2026-01-31T09:00:00.000001Z',
  updatedAt: '2026-01-31T09:00:00.000001Z',
  deletedAt: null,
};

test('refuses to write a field that is not listed, in nested objects and lists too', () => {
  const write = createSerializer(pageSchema(ContractSummary));
  const node = { ...summary, worker: { ...summary.worker, email: 'ada@example.com' } };
  const page = { data: [node], hasMore: false, nextCursor: null };
  expect(() => write(page)).toThrow(/^(?!.*ada@).*data\[0\]\.worker\.email \(unknown_property\)/);
});

test('writes an exact match unchanged', () => {
  const write = createSerializer(pageSchema(ContractSummary));
  const page = { data: [summary, summary], hasMore: true, nextCursor: 'x' };
  expect(write(page)).toBe(JSON.stringify(page));
});

test('refuses a shape that allows other fields', () => {
  expect(() => createSerializer(Type.Object({ id: Type.String() }))).toThrow('additionalProperties');
  const inner = Type.Object({ list: Type.Array(Type.Object({})) }, { additionalProperties: false });
  expect(() => createSerializer(inner)).toThrow('additionalProperties');
});

test('a creator is null or complete', () => {
  const write = createSerializer(ContractDetail);
  expect(JSON.parse(write({ ...summary, creator: null }))).toEqual({ ...summary, creator: null });
  expect(JSON.parse(write({ ...summary, creator: { terms: null, deliverables: [] } }))).toMatchObject({
    creator: { terms: null, deliverables: [] },
  });
});

test('refuses to write an answer that violates the contract, without its values in the error', () => {
  const write = createSerializer(ContractSummary);
  const { title: _title, ...untitled } = summary;
  expect(() => write(untitled)).toThrow('title (required)');
  expect(() => write({ ...summary, status: 'secret-word' })).toThrow(/^(?!.*secret-word).*status \(invalid_value\)/);
  expect(() => write({ ...summary, createdAt: '2026-01-31 09:00:00+00' })).toThrow('createdAt (invalid_format)');
});
