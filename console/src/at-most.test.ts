import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { atMost } from './at-most.js';

it('works for all items, for two at the same time, and answers in their order', async () => {
  let [running, most] = [0, 0];
  const results = await atMost(2, [3, 1, 2, 0], async (turns) => {
    most = Math.max(most, ++running);
    for (let n = 0; n < turns; n++) await turn();
    running--;
    return turns * 10;
  });
  expect(results).toEqual([30, 10, 20, 0]);
  expect(most).toBe(2);
});
