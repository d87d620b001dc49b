import { expect, it } from 'vitest';
import { compareMigrations, describeServer } from './check-database.js';

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

it('says in words what is needed of a Postgres, and what an acknowledged commit is worth', () => {
  const right = {
    server_version_num: '180004',
    transaction_read_only: 'off',
    synchronous_commit: 'on',
    synchronous_standby_names: '',
    archiveFailedAt: null as string | null,
  };
  const wrong = (changed: Partial<typeof right>) =>
    describeServer('review', { ...right, ...changed }).flatMap(({ ok, seen }) => (ok ? [] : [seen]));
  expect(wrong({})).toEqual([]);
  expect(wrong({ server_version_num: '170002' })).toEqual(['it is 17']);
  expect(wrong({ transaction_read_only: 'on' })).toEqual(['it is a standby, or read-only']);
  expect(wrong({ archiveFailedAt: '2026-03-02T00:00:00.000Z' })).toEqual([
    'the newest attempt to archive failed at 2026-03-02T00:00:00.000Z',
  ]);
  expect(wrong({ synchronous_commit: 'off' })).toEqual(['a commit is answered before it is on any disk']);
  const worth = (names: string, commit = 'on') =>
    describeServer('review', { ...right, synchronous_standby_names: names, synchronous_commit: commit }).at(-1)!.what;
  expect(worth('')).toBe('what review commits is on a disk of one server');
  expect(worth('ANY 1 (a, b)')).toBe(
    'what review commits is on a disk of the primary and of its standbys, "ANY 1 (a, b)"',
  );
  expect(worth('ANY 1 (a, b)', 'local')).toBe('what review commits is on a disk of one server');
});
