import { describe, expect, it } from 'vitest';
import { chooseKeys, type KeyLife } from './signing-keys.js';

const at = (minute: number): string => `2027-01-01T00:${String(minute).padStart(2, '0')}:00.000000Z`;
const key = (kid: string, minute: number, withdrawn?: number): KeyLife => ({
  kid,
  signsFrom: at(minute),
  withdrawnAt: withdrawn === undefined ? null : at(withdrawn),
});

/** With tokens that are valid for ten minutes. */
function choose(keys: readonly KeyLife[], minute: number): [string, string[]] | null {
  const choice = chooseKeys(keys, at(minute), at(Math.max(0, minute - 10)));
  return choice && [choice.signing.kid, choice.published.map(({ kid }) => kid)];
}

describe('signing keys', () => {
  it('sign once their time has come, and are published before and after', () => {
    const keys = [key('old', 0), key('new', 20)];
    expect(choose(keys, 10)).toEqual(['old', ['old', 'new']]);
    expect(choose(keys, 19)).toEqual(['old', ['old', 'new']]);
    expect(choose(keys, 20)).toEqual(['new', ['new', 'old']]);
    expect(choose(keys, 29)).toEqual(['new', ['new', 'old']]);
    expect(choose(keys, 30)).toEqual(['new', ['new']]);
  });

  it('all stay published after two quick rotations until their tokens have expired', () => {
    const keys = [key('a', 0), key('b', 20), key('c', 22)];
    expect(choose(keys, 25)).toEqual(['c', ['c', 'a', 'b']]);
    expect(choose(keys, 31)).toEqual(['c', ['c', 'b']]);
    expect(choose(keys, 32)).toEqual(['c', ['c']]);
  });

  it('are dropped at once when withdrawn', () => {
    expect(choose([key('leaked', 0, 5), key('new', 5)], 5)).toEqual(['new', ['new']]);
  });

  it('are chosen regardless of the input order', () => {
    expect(choose([key('new', 20), key('later', 40), key('old', 0)], 25)).toEqual(['new', ['new', 'old', 'later']]);
  });

  it('with the same start are chosen alike by every process', () => {
    const keys = [key('b', 0), key('a', 0)];
    expect(choose(keys, 5)?.[0]).toBe('b');
    expect(choose(keys.toReversed(), 5)?.[0]).toBe('b');
  });

  it.each([[[]], [[key('later', 9)]], [[key('gone', 0, 1)]]])('give null for %j', (keys) => {
    expect(choose(keys, 5)).toBeNull();
  });
});
