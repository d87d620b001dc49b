import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJson, readQueryString } from './read-request.js';

test('reads back any encoded query', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' })),
      (parameters) => {
        const text = Object.entries(parameters)
          .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
          .join('&');
        expect(readQueryString(text)).toEqual({ parameters: { ...parameters }, problems: [] });
      },
    ),
  );
});

test('a plus is a space, a name alone is empty, and empty pairs are ignored', () => {
  expect(readQueryString('a=b+c&&d&').parameters).toEqual({ a: 'b c', d: '' });
});

test('a repeated parameter or invalid UTF-8 is a problem', () => {
  expect(readQueryString('a=1&a=2&b=%FF&c=%&%zz=1').problems).toEqual([
    { path: 'a', code: 'repeated' },
    { path: 'b', code: 'invalid_encoding' },
    { path: 'c', code: 'invalid_encoding' },
    { path: '', code: 'invalid_encoding' },
  ]);
});

test('does not throw for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(() => readQueryString(text)).not.toThrow();
    }),
  );
});

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
])('%s is not JSON', (type) => {
  expect(isJson(type)).toBe(false);
});
