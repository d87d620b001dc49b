import { expect, test } from 'vitest';
import { delayBetweenConnects } from './settings.js';

test('reconnects without delay after the clock was set back', () => {
  let now = 3_600_000;
  const delay = delayBetweenConnects(() => now);
  expect(delay()).toBeGreaterThanOrEqual(250);
  now = 1_000;
  expect(delay()).toBe(-Infinity);
  now = 1_300;
  expect(delay()).toBeGreaterThanOrEqual(250);
});
