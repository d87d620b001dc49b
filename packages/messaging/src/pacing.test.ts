import { describe, expect, it, vi } from 'vitest';
import { Alarm, backOffMs, endOfTurn, Lanes } from './pacing.js';

it('a back-off is a whole number that doubles up to its limit', () => {
  for (let failures = 1; failures <= 100; failures++) {
    const ms = backOffMs(failures, 250, 2_000);
    expect(Number.isInteger(ms)).toBe(true);
    expect(ms).toBeGreaterThanOrEqual(218);
    expect(ms).toBeLessThanOrEqual(2_250);
  }
  expect(backOffMs(3, 250, 2_000)).toBeGreaterThanOrEqual(875);
});

it('an alarm that rang while nobody slept ends the next sleep, and only that', async () => {
  const alarm = new Alarm();
  alarm.ring();
  await alarm.sleep(60_000);
  const sleeping = alarm.sleep(60_000);
  alarm.ring();
  await sleeping;
  await alarm.sleep(1);
});

it('an alarm that nobody rings ends after its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isAwake = false;
  const alarm = new Alarm();
  const sleeping = alarm.sleep(1_000).then(() => (isAwake = true));
  await vi.advanceTimersByTimeAsync(999);
  expect(isAwake).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
  void alarm.sleep(1_000);
  alarm.ring();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('all who wait for the end of a turn wait for the same one, and those who come later for the next', async () => {
  let isOver = false;
  const [first, second] = [endOfTurn(), endOfTurn()];
  expect(second).toBe(first);
  void first.then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  await first;
  expect(endOfTurn()).not.toBe(first);
});

describe('lanes', () => {
  /** Notes what is worked on together; work of a key waits until it is let go. */
  function lanesOf(count: number, most: number) {
    const begun: string[] = [];
    const waiting = new Map<string, () => void>();
    const lanes = new Lanes<string>({
      count,
      most: () => most,
      work: async (items) => {
        begun.push(items.join(' '));
        await new Promise<void>((resolve) => waiting.set(items[0]!, resolve));
      },
    });
    /** Ends the work that begins with this item. */
    const end = async (first: string): Promise<void> => {
      waiting.get(first)!();
      await new Promise(setImmediate);
    };
    const add = async (...items: string[]): Promise<void> => {
      for (const item of items) lanes.add(item[0]!, item);
      await new Promise(setImmediate);
    };
    return { lanes, begun, add, end };
  }

  it('work on one item at once, and together on those of its key that come meanwhile, in order', async () => {
    const { lanes, begun, add, end } = lanesOf(4, 50);
    await add('a1');
    await add('a2');
    await add('b1', 'a3');
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2 a3']);
    await Promise.all([end('b1'), end('a2'), lanes.idle()]);
  });

  it('take no more of a key than they may, no more keys than there are lanes, and every key in its turn', async () => {
    const { begun, add, end } = lanesOf(1, 2);
    await add('a1', 'a2', 'a3', 'a4', 'a5', 'b1');
    expect(begun).toEqual(['a1 a2']);
    for (const first of ['a1', 'b1', 'a3']) await end(first);
    expect(begun).toEqual(['a1 a2', 'b1', 'a3 a4', 'a5']);
  });

  it('are idle when nothing waits any more, either', async () => {
    const { lanes, begun, add, end } = lanesOf(1, 1);
    await add('a1', 'a2', 'b1');
    let isIdle = false;
    const idle = lanes.idle().then(() => (isIdle = true));
    for (const first of ['a1', 'b1']) await end(first);
    expect(isIdle).toBe(false);
    await end('a2');
    await idle;
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });
});
