import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from './deadline.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => {});
const tooLate = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };

test('returns the result or the failure of work that ends in time', async () => {
  using deadline = new Deadline(1000);
  expect(await deadline.race(Promise.resolve('done'))).toBe('done');
  await expect(deadline.race(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

test('work that does not end in time is 503, and is not awaited any longer', async () => {
  using deadline = new Deadline(1000);
  const late = deadline.race(never);
  vi.advanceTimersByTime(999);
  expect(deadline.isOver).toBe(false);
  vi.advanceTimersByTime(1);
  await expect(late).rejects.toMatchObject(tooLate);
  expect(deadline.isOver).toBe(true);
  await expect(deadline.race(never)).rejects.toMatchObject(tooLate);
  await expect(deadline.race(Promise.reject(new Error('failed later')))).rejects.toMatchObject(tooLate);
});

test('a disposed deadline stops its timer', () => {
  const deadline = new Deadline(1000);
  expect(vi.getTimerCount()).toBe(1);
  deadline[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});
