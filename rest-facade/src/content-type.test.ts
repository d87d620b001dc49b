import { expect, test } from 'vitest';
import { isJson } from './read-request.js';

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"; v=1',
])('%s is JSON', (type) => {
  expect(isJson(type)).toBe(true);
});

test.each([
  undefined,
  '',
  'text/json',
  'application/jsonp',
  'application/problem+json',
  'application/json; charset=utf-16',
  'a, application/json',
])('%s is not', (type) => {
  expect(isJson(type)).toBe(false);
});
