import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from './deadline.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => {});
const tooLate = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };

test('work that is done in time is its result, or its failure', async () => {
  using deadline = new Deadline(1000);
  expect(await deadline.race(Promise.resolve('done'))).toBe('done');
  await expect(deadline.race(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

test('work that is not is 503, and nothing more is waited for', async () => {
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

test('a deadline that is over with stops its clock', () => {
  const deadline = new Deadline(1000);
  expect(vi.getTimerCount()).toBe(1);
  deadline[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});
