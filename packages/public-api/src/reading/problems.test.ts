import { expect, test } from 'vitest';
import { below, placeOfPointer } from './problems.js';

test('an index stands in brackets, a property after a point, a property named 0 too', () => {
  const path = (pointer: string, root: unknown) => placeOfPointer(pointer, root).path;
  expect(path('/milestones/0/amount', { milestones: [{}] })).toBe('milestones[0].amount');
  expect(path('/compensation/0', { compensation: { 0: 1 } })).toBe('compensation.0');
  expect(path('', null)).toBe('');
  expect(path('/a~1b~0c', { 'a/b~c': 1 })).toBe('a/b~c');
});

test('what is there comes with it', () => {
  expect(placeOfPointer('/milestones/0/amount', { milestones: [{ amount: 5 }] }).value).toBe(5);
  expect(placeOfPointer('/not/there', {}).value).toBeUndefined();
});

test('a hostile name is echoed short and well formed', () => {
  expect(below('', 'x'.repeat(1000))).toHaveLength(200);
  expect(below('', '\ud800').isWellFormed()).toBe(true);
});
