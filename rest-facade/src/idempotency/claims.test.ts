import { createLog } from '@payroll/process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyEachHour } from './claims.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('answers are let go of every hour, also after an hour in which that failed', async () => {
  const emptyExpired = vi.fn<() => Promise<number>>(() => Promise.reject(new Error('no database')));
  const retention = emptyEachHour({ emptyExpired }, createLog('test', 'silent'));
  await vi.advanceTimersByTimeAsync(3_600_000);
  emptyExpired.mockResolvedValue(2);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(emptyExpired).toHaveBeenCalledTimes(2);
  retention[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});
