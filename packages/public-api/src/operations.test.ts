import { expect, test } from 'vitest';
import { operations, type ApiOperation } from './operations.js';

const all: [string, ApiOperation][] = Object.entries(operations);

test.each(all)('%s: reads are GETs under the scope read, writes POSTs with a body', (_name, operation) => {
  const isRead = operation.method === 'GET';
  expect(operation.scope === 'read').toBe(isRead);
  expect(operation.body === undefined).toBe(isRead);
});

test.each(all)('%s: the parameters of its path are those of its shape', (_name, { path, params }) => {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(params.properties)).toEqual(named);
});

test('no two operations share method and path', () => {
  expect(new Set(all.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(all.length);
});
