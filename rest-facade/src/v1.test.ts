import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Deadline, rateLimitHeaders } from './v1.js';

const own = { name: 'writes', quota: 60, remaining: 59, resetSeconds: 42 } as const;
const shared = { name: 'workspace', quota: 2000, remaining: 1000, resetSeconds: 42 } as const;

test("shows the caller's own limit, and the workspace's if it will be reached first", () => {
  expect(rateLimitHeaders([shared, own])).toEqual({
    'RateLimit-Policy': '"writes";q=60;w=60, "workspace";q=2000;w=60',
    RateLimit: '"writes";r=59;t=42',
  });
  expect(rateLimitHeaders([own, { ...shared, remaining: 3 }])['RateLimit']).toBe(
    '"writes";r=59;t=42, "workspace";r=3;t=42',
  );
});

test('shows no limits to an unknown caller', () => {
  expect(rateLimitHeaders([])).toEqual({});
});

test('shows the limit of failures to a caller who has failed too often', () => {
  expect(rateLimitHeaders([{ name: 'failures', quota: 30, remaining: 0, resetSeconds: 17 }])).toEqual({
    'RateLimit-Policy': '"failures";q=30;w=60',
    RateLimit: '"failures";r=0;t=17',
  });
});

describe('a deadline', () => {
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

  test('stops its timer once it is disposed of', () => {
    const deadline = new Deadline(1000);
    expect(vi.getTimerCount()).toBe(1);
    deadline[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });
});
