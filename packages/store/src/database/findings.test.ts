import { expect, it } from 'vitest';
import { compareMigrations } from './findings.js';

const seen = (known: string[], applied: string[]): (string | undefined)[] =>
  compareMigrations('review', known, applied).map((each) => each.seen);

it('tables and code with the same migrations have no finding', () => {
  expect(seen(['a', 'b'], ['b', 'a'])).toEqual([undefined, undefined]);
});

it('unapplied migrations mean that the code is newer than its tables, unknown ones the opposite', () => {
  expect(seen(['a', 'b', 'c'], ['a'])).toEqual([expect.stringMatching(/code is newer.*b, c not applied/), undefined]);
  expect(seen(['a'], ['a', 'b'])).toEqual([undefined, expect.stringMatching(/tables are newer.*nothing of b/)]);
  expect(seen(['a', 'mine'], ['a', 'theirs'])).toEqual([
    expect.stringContaining('mine'),
    expect.stringContaining('theirs'),
  ]);
});
