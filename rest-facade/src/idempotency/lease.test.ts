import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Lease, RENEWAL_MS } from './once.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const claim = { principalId: 'p', key: 'k', operationId: 'o', attempt: 1, history: 'h' };

test('a lease is renewed every second until it is stopped', async () => {
  const renew = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
  const lease = new Lease({ renew }, claim);
  await vi.advanceTimersByTimeAsync(3 * RENEWAL_MS);
  await lease.stop();
  await vi.advanceTimersByTimeAsync(3 * RENEWAL_MS);
  expect(renew).toHaveBeenCalledTimes(3);
});

test('a renewal that fails does not end the renewals, one that finds the claim lost does', async () => {
  const renew = vi.fn<() => Promise<boolean>>(() => Promise.reject(new Error('no database')));
  const lease = new Lease({ renew }, claim);
  await vi.advanceTimersByTimeAsync(2 * RENEWAL_MS);
  renew.mockResolvedValue(false);
  await vi.advanceTimersByTimeAsync(5 * RENEWAL_MS);
  expect(renew).toHaveBeenCalledTimes(3);
  await lease.stop();
});

test('stopping waits for the renewal under way: none may come after the claim is settled', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const lease = new Lease({ renew: () => promise }, claim);
  await vi.advanceTimersByTimeAsync(RENEWAL_MS);
  const order: string[] = [];
  const stopped = lease.stop().then(() => order.push('stopped'));
  order.push('renewed');
  resolve(true);
  await stopped;
  expect(order).toEqual(['renewed', 'stopped']);
});
