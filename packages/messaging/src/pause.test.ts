import { expect, it } from 'vitest';
import { Alarm, backOffMs } from './pause.js';

it('a back-off is a whole number that doubles up to its limit', () => {
  for (let failures = 1; failures <= 100; failures++) {
    const ms = backOffMs(failures, 250, 2_000);
    expect(Number.isInteger(ms)).toBe(true);
    expect(ms).toBeGreaterThanOrEqual(218);
    expect(ms).toBeLessThanOrEqual(2_250);
  }
  expect(backOffMs(3, 250, 2_000)).toBeGreaterThanOrEqual(875);
});

it('an alarm that rang while nobody slept ends the next sleep, and only that', async () => {
  const alarm = new Alarm();
  alarm.ring();
  await alarm.sleep(60_000);
  const sleeping = alarm.sleep(60_000);
  alarm.ring();
  await sleeping;
  await alarm.sleep(1);
});
