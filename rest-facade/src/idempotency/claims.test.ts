import { createLog } from '@payroll/process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyEachHour } from './claims.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('answers are let go of every hour, also after an hour in which that failed', async () => {
  const emptyExpired = vi.fn<() => Promise<number>>(() => Promise.reject(new Error('no database')));
  const info = vi.fn<(details: object, message: string) => void>();
  const warn = vi.fn<(details: object, message: string) => void>();
  const retention = emptyEachHour({ emptyExpired }, Object.assign(createLog('test', 'silent'), { info, warn }));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(warn.mock.calls).toEqual([
    [{ error: expect.objectContaining({ message: 'no database' }) }, expect.anything()],
  ]);
  emptyExpired.mockResolvedValueOnce(0).mockResolvedValueOnce(2);
  await vi.advanceTimersByTimeAsync(2 * 3_600_000);
  expect(emptyExpired).toHaveBeenCalledTimes(3);
  expect(info.mock.calls).toEqual([[{ emptied: 2 }, expect.anything()]]);
  retention[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});
