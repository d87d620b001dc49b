import { expect, it } from 'vitest';
import { Alarm, backOffMs, Lanes } from './pacing.js';

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

it('keeps the order of one key while another key goes on', async () => {
  const lanes = new Lanes(4);
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  lanes.add('a', async () => {
    await gate.promise;
    done.push('a1');
  });
  lanes.add('a', () => Promise.resolve(void done.push('a2')));
  lanes.add('b', () => {
    done.push('b');
    gate.resolve();
    return Promise.resolve();
  });
  await lanes.idle();
  expect(done).toEqual(['b', 'a1', 'a2']);
});
