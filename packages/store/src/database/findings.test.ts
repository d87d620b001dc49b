import { expect, it } from 'vitest';
import { compareMigrations } from './findings.js';

const seen = (known: string[], applied: string[]): (string | undefined)[] =>
  compareMigrations('review', known, applied).map((each) => each.seen);

it('tables and code that know of the same migrations are well', () => {
  expect(seen(['a', 'b'], ['b', 'a'])).toEqual([undefined, undefined]);
});

it('what is not applied is told as code newer than its tables, what nobody knows as tables newer than their code', () => {
  expect(seen(['a', 'b', 'c'], ['a'])).toEqual([expect.stringMatching(/code is newer.*b, c not applied/), undefined]);
  expect(seen(['a'], ['a', 'b'])).toEqual([undefined, expect.stringMatching(/tables are newer.*nothing of b/)]);
  expect(seen(['a', 'mine'], ['a', 'theirs'])).toEqual([
    expect.stringContaining('mine'),
    expect.stringContaining('theirs'),
  ]);
});
