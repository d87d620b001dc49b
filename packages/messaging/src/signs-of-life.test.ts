import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleConsumers, isSignOfLife } from './signs-of-life.js';

const session = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const sign = (n: number, { history = 'here', isBehind = false } = {}) => ({ session: session(n), history, isBehind });

it.each([
  [sign(1), true],
  [{ ...sign(1), session: 'mine' }, false],
  [{ ...sign(1), history: undefined }, false],
  [{ ...sign(1), isBehind: 'no' }, false],
  [undefined, false],
  [null, false],
  ['alive', false],
])('%j is a sign of life: %s', (value, expected) => {
  expect(isSignOfLife(value)).toBe(expected);
});

describe('consumers that are there', () => {
  let now: number;
  let idle: IdleConsumers;
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    idle = new IdleConsumers();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('would take what is offered, once for each session', () => {
    idle.hear('review', sign(1));
    idle.hear('contracts', sign(2));
    idle.hear('review', sign(1));
    expect(idle.list()).toEqual([
      { consumer: 'review', history: 'here' },
      { consumer: 'contracts', history: 'here' },
    ]);
  });

  it('take nothing while one of their processes says that it is behind', () => {
    idle.hear('review', sign(1));
    idle.hear('review', sign(2, { isBehind: true }));
    idle.hear('contracts', sign(3));
    expect(idle.list()).toEqual([{ consumer: 'contracts', history: 'here' }]);
    idle.hear('review', sign(2));
    expect(idle.list()).toHaveLength(3);
  });

  it('are forgotten after three signs that did not come', () => {
    idle.hear('review', sign(1));
    now = 15_000;
    expect(idle.list()).toHaveLength(1);
    now = 15_001;
    expect(idle.list()).toEqual([]);
  });

  it('have changed their history when they say another one than before, also after a long time', () => {
    expect(idle.hear('review', sign(1))).toBe(false);
    expect(idle.hear('review', sign(1))).toBe(false);
    expect(idle.hear('contracts', sign(2, { history: 'another' }))).toBe(false);
    now = 60_000;
    expect(idle.hear('review', sign(3, { history: 'another' }))).toBe(true);
    expect(idle.hear('review', sign(3, { history: 'another' }))).toBe(false);
  });
});
