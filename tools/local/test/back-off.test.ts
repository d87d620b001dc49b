import { expect, test } from 'vitest';
import { countFailure, defaultBackOff, delayBeforeRestart } from '../supervisor.js';

test('restarts are delayed by 250 ms, then twice as long each time, at most 10 s', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => delayBeforeRestart(defaultBackOff, failures));
  expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test('a process that ran for 30 s has recovered, one that ran less has not', () => {
  expect(countFailure(defaultBackOff, 5, 29_999)).toBe(6);
  expect(countFailure(defaultBackOff, 5, 30_000)).toBe(1);
});
