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
  expect(await deadline.raceWithGrace(Promise.resolve('done'))).toBe('done');
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

test('what has to be tidied up has the grace as well, and no more', async () => {
  using deadline = new Deadline(1000, 100);
  const { promise: tidied, resolve: tidy } = Promise.withResolvers<string>();
  const [inTime, late] = [deadline.raceWithGrace(tidied), deadline.raceWithGrace(never)];
  vi.advanceTimersByTime(1099);
  tidy('tidied');
  expect(await inTime).toBe('tidied');
  vi.advanceTimersByTime(1);
  await expect(late).rejects.toMatchObject(tooLate);
  await expect(deadline.raceWithGrace(never)).rejects.toMatchObject(tooLate);
});

test('work is given up where the grace begins; what is tidied up then goes on', async () => {
  using deadline = new Deadline(1000, 100);
  let givenUp = false;
  const work = deadline.race(never).catch(() => (givenUp = true));
  const { promise: tidied, resolve: tidy } = Promise.withResolvers<string>();
  await vi.advanceTimersByTimeAsync(1000);
  expect(givenUp).toBe(true);
  await work;
  const begun = deadline.raceWithGrace(tidied);
  await vi.advanceTimersByTimeAsync(50);
  tidy('tidied');
  expect(await begun).toBe('tidied');
});

test.each([0, 1000])('a deadline that is over with stops its clock, %i ms after it began', (afterMs) => {
  const deadline = new Deadline(1000, 100);
  vi.advanceTimersByTime(afterMs);
  expect(vi.getTimerCount()).toBe(1);
  deadline[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});
