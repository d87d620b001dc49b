import { expect, it } from 'vitest';
import { createReadinessCheck, Drain } from './lifecycle.js';

it('names checks that return false, fail, or time out', async () => {
  const missing = createReadinessCheck(
    new Drain(),
    {
      there: () => true,
      answers: () => Promise.resolve(),
      absent: () => false,
      failing: () => Promise.reject(new Error('no')),
      throwing: () => {
        throw new Error('no');
      },
      silent: () => new Promise(() => {}),
    },
    10,
  );
  expect(await missing()).toEqual(['absent', 'failing', 'throwing', 'silent']);
});

it('names what exactly is missing if a check says so', async () => {
  const missing = createReadinessCheck(new Drain(), {
    database: () => Promise.resolve(['migration First']),
    other: () => Promise.resolve([]),
  });
  expect(await missing()).toEqual(['migration First']);
});

it('is never ready after it was asked to stop', async () => {
  const drain = new Drain();
  const missing = createReadinessCheck(drain, {});
  expect(await missing()).toEqual([]);
  drain.begin();
  expect(await missing()).toEqual(['its end']);
});
