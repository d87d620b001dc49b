import { expect, it, vi } from 'vitest';
import { Waker } from './recipient.js';

it('a ring while awake ends the next sleep and no other', async () => {
  const alarm = new Waker();
  alarm.wake();
  await alarm.sleep(60_000);
  const sleeping = alarm.sleep(60_000);
  alarm.wake();
  await sleeping;
  await alarm.sleep(1);
});

it('an alarm that does not ring ends after its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isAwake = false;
  const alarm = new Waker();
  const sleeping = alarm.sleep(1_000).then(() => (isAwake = true));
  await vi.advanceTimersByTimeAsync(999);
  expect(isAwake).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
  void alarm.sleep(1_000);
  alarm.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
