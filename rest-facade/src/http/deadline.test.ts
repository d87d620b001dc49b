import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from './deadline.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work that is done in time is its result, or its failure', async () => {
  using deadline = new Deadline(1000);
  expect(await deadline.race(Promise.resolve('done'))).toBe('done');
  await expect(deadline.race(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

test('work that is not is 503, its signal is aborted, and nothing more is waited for', async () => {
  using deadline = new Deadline(1000);
  const late = deadline.race(new Promise(() => {}));
  vi.advanceTimersByTime(1000);
  await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(deadline.signal.aborted).toBe(true);
  await expect(deadline.race(new Promise(() => {}))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a deadline that is over with stops its clock', () => {
  const deadline = new Deadline(1000);
  deadline[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});
