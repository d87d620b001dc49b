import { expect, test } from 'vitest';
import { below, placeOfPointer } from './problems.js';

test('an index is in brackets, a property follows a point, even if it is named 0', () => {
  const path = (pointer: string, root: unknown) => placeOfPointer(pointer, root).path;
  expect(path('/milestones/0/amount', { milestones: [{}] })).toBe('milestones[0].amount');
  expect(path('/compensation/0', { compensation: { 0: 1 } })).toBe('compensation.0');
  expect(path('', null)).toBe('');
  expect(path('/a~1b~0c', { 'a/b~c': 1 })).toBe('a/b~c');
});

test('returns the value at the path', () => {
  expect(placeOfPointer('/milestones/0/amount', { milestones: [{ amount: 5 }] }).value).toBe(5);
  expect(placeOfPointer('/not/there', {}).value).toBeUndefined();
});

test('a hostile name is truncated and well-formed', () => {
  expect(below('', 'x'.repeat(1000))).toHaveLength(200);
  expect(below('', '\ud800').isWellFormed()).toBe(true);
});
