import { expect, test } from 'vitest';
import { below, pathOfPointer } from './path.js';

test('an index stands in brackets, a property after a point, a property named 0 too', () => {
  expect(pathOfPointer('/milestones/0/amount', { milestones: [{}] })).toBe('milestones[0].amount');
  expect(pathOfPointer('/compensation/0', { compensation: { 0: 1 } })).toBe('compensation.0');
  expect(pathOfPointer('', null)).toBe('');
  expect(pathOfPointer('/a~1b~0c', { 'a/b~c': 1 })).toBe('a/b~c');
});

test('a hostile name is echoed short and well formed', () => {
  expect(below('', 'x'.repeat(1000))).toHaveLength(200);
  expect(below('', '\ud800').isWellFormed()).toBe(true);
});
