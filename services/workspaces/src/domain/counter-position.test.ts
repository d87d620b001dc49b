import { describe, expect, it } from 'vitest';
import { BatchPositions, overLimit, toRateLimit } from './counter-position.js';

describe('overLimit', () => {
  it.each([
    [[], null],
    [[{ name: 'reads', position: 600, resetSeconds: 7 }], null],
    [[{ name: 'reads', position: 601, resetSeconds: 7 }], 7],
    [
      [
        { name: 'writes', position: 61, resetSeconds: 7 },
        { name: 'workspace', position: 2001, resetSeconds: 9 },
      ],
      9,
    ],
    [
      [
        { name: 'writes', position: 61, resetSeconds: 7 },
        { name: 'workspace', position: 2000, resetSeconds: 9 },
      ],
      7,
    ],
    [[{ name: 'failures', position: 30, resetSeconds: 7 }], null],
    [[{ name: 'failures', position: 31, resetSeconds: 7 }], 7],
  ] as const)('%j waits %s s', (standings, wait) => {
    expect(overLimit(standings)?.retryAfterSeconds ?? null).toBe(wait);
  });

  it('the remaining requests are never below zero', () => {
    expect(toRateLimit({ name: 'reads', position: 1, resetSeconds: 60 })).toMatchObject({ quota: 600, remaining: 599 });
    expect(toRateLimit({ name: 'reads', position: 700, resetSeconds: 60 }).remaining).toBe(0);
  });
});

describe('positions in a batch', () => {
  const counter = (subject: string, used: number, reset = 42) => ({ subject, used, reset });
  const places = (line: BatchPositions, times: number): number[][] =>
    Array.from({ length: times }, () =>
      line.placeRequest('writes', 'p', 'w').map(({ position }) => position),
    ).toReversed();

  it("are distinct; the last request has the counter's position", () => {
    expect(places(new BatchPositions([counter('writes/p', 5), counter('workspace/w', 103)]), 3)).toEqual([
      [3, 101],
      [4, 102],
      [5, 103],
    ]);
  });

  it("requests over the principal's limit do not count for the workspace", () => {
    expect(places(new BatchPositions([counter('writes/p', 62), counter('workspace/w', 1000)]), 3)).toEqual([
      [60, 1000],
      [61, 1001],
      [62, 1001],
    ]);
  });

  it('of failures are counted by address', () => {
    const line = new BatchPositions([counter('failed/::1', 2), counter('failed/::2', 9)]);
    expect(['::1', '::2', '::1'].map((address) => line.placeFailure(address).position)).toEqual([2, 9, 1]);
  });

  it('of messages are counted by connection, those of pages by person', () => {
    const line = new BatchPositions([counter('messages/p', 2), counter('pages/p', 7)]);
    expect(line.placeMessage('p')).toEqual({ name: 'messages', position: 2, resetSeconds: 42 });
    expect(line.placePage('p')).toEqual({ name: 'pages', position: 7, resetSeconds: 42 });
  });

  it('throws if there is no counter for the subject', () => {
    expect(() => new BatchPositions([counter('pages/p', 7)]).placePage('q')).toThrow('no counter has counted');
  });

  it.each([
    [0, 1],
    [1, 1],
    [60, 60],
    [61, 60],
  ])('the wait is at least a second and at most a window: %s s becomes %s', (reset, told) => {
    expect(new BatchPositions([counter('failed/a', 1, reset)]).placeFailure('a').resetSeconds).toBe(told);
  });
});
