import { expect, it } from 'vitest';
import { Turns } from './throttle.js';

it('so many at a time, in the order in which they came, and no more waiting than allowed', async () => {
  const turns = new Turns(2, 3);
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const work = (n: number) =>
    turns.take(async () => {
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

it('what fails makes room too', async () => {
  const turns = new Turns(1, 0);
  await expect(turns.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.take(() => Promise.resolve('yes'))).toBe('yes');
});
