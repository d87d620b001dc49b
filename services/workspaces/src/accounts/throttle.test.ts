import { expect, it } from 'vitest';
import { ConcurrencyLimiter } from './throttle.js';

it('runs at most `atOnce` tasks, queues at most `maxWaiting`, in order', async () => {
  const turns = new ConcurrencyLimiter({ atOnce: 2, maxWaiting: 3, maxOfOne: 6 });
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const work = (n: number) =>
    turns.take([], async () => {
      begun.push(n);
      await new Promise<void>((resolve) => finish.push(resolve));
      return n;
    });
  const all = [1, 2, 3, 4, 5].map(work);
  await expect(work(6)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(begun).toEqual([1, 2]);
  for (const expected of [
    [1, 2, 3],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ]) {
    finish.shift()!();
    await expect.poll(() => begun).toEqual(expected);
  }
  for (const each of finish) each();
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
  const later = work(7);
  expect(begun.at(-1)).toBe(7);
  finish.at(-1)!();
  expect(await later).toBe(7);
});

it('a failed task frees its slot', async () => {
  const turns = new ConcurrencyLimiter({ atOnce: 1, maxWaiting: 0, maxOfOne: 1 });
  await expect(turns.take(['one'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.take(['one'], () => Promise.resolve('yes'))).toBe('yes');
});

it('refuses a caller over its share of the queue, and lets others in', async () => {
  const turns = new ConcurrencyLimiter({ atOnce: 1, maxWaiting: 100, maxOfOne: 3 });
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const take = (...sharers: string[]) => turns.take(sharers, () => finished);
  const taken = [take('address/1', 'account/a'), take('address/1', 'account/b'), take('address/1', 'account/c')];
  await expect(take('address/1', 'account/d')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
  taken.push(take('address/2', 'account/a'), take('address/3', 'account/a'));
  await expect(take('address/4', 'account/a')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  taken.push(take('address/4', 'account/d'));
  finish();
  await Promise.all(taken);
  await take('address/1', 'account/a');
});
