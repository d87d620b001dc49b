import { expect, test } from 'vitest';
import { oneSentence } from './one-sentence.js';

test.each<[string, unknown, string]>([
  ['lines become one', new Error('a\n  b'), 'a b'],
  ['an error without words has a name', new TypeError(''), 'TypeError'],
  ['addresses that were all tried are told once each', new AggregateError([new Error('no'), new Error('no')]), 'no'],
  ['what fetch leaves out', new TypeError('fetch failed', { cause: new Error('x refused') }), 'no answer: x refused'],
  ['what is no error', 'words', 'words'],
])('%s', (_case, error, sentence) => {
  expect(oneSentence(error)).toBe(sentence);
});
