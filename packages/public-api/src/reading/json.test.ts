import { expect, test } from 'vitest';
import { readJson } from './json.js';

const bytes = (text: string) => new TextEncoder().encode(text);

test('numbers are read twice: as JSON numbers and digit by digit', () => {
  expect(readJson(bytes('{"a":[0.1000000000000000055,"1"],"b":1e2}'))).toEqual({
    plain: { a: [0.1, '1'], b: 100 },
    exact: { a: ['0.1000000000000000055', '1'], b: '100' },
  });
});

test.each(['', ' ', '{', "{'a':1}", '{"a":1,}', 'NaN', '{"a":01}'])('%j is not JSON', (text) => {
  expect(() => readJson(bytes(text))).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});

test('bytes that are not UTF-8 are not JSON', () => {
  expect(() => readJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});
