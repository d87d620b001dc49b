import { describe, expect, it } from 'vitest';
import { overLimit, toRateLimit } from './counter-position.js';

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
