import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Lists the histories that Postgres has archived, and notes the arguments of a restore. */
const PGBACKREST = `#!/bin/sh
case $1 in repo-ls) [ "$HISTORIES" != away ] && echo "$HISTORIES" ;; repo-get | info) ;; *) echo "$*" >"$DIR/arguments" ;; esac
`;

const seconds = (time: string): number => Date.parse(time) / 1_000;
/** As pgBackRest lists them: restores at noon and at one. */
const HISTORIES = JSON.stringify({
  'payroll/18-1/00000003.history': { type: 'file', size: 80, time: seconds('2026-11-28T13:00:00Z') },
  'payroll/18-1/00000002.history': { type: 'file', size: 80, time: seconds('2026-11-28T12:00:00Z') },
});

function restore(to: string, histories: string) {
  const dir = mkdtempSync(join(tmpdir(), 'timelines-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'pgbackrest'), PGBACKREST, { mode: 0o755 });
  mkdirSync(join(dir, 'data'));
  const env = {
    PATH: [dir, process.env['PATH']].join(delimiter),
    ...{ DIR: dir, HISTORIES: histories, PGDATA: join(dir, 'data'), PGPASSWORD: 'p' },
  };
  const script = join(import.meta.dirname, 'backups.sh');
  const { status, stderr } = spawnSync(script, ['restore', to], { encoding: 'utf8', env });
  return status === 0 ? readFileSync(join(dir, 'arguments'), 'utf8') : stderr;
}

test('a moment before an earlier restore is on the timeline that this restore has given up', () => {
  expect(restore('2026-11-28T11:59:00Z', HISTORIES)).toContain('--target-timeline=current');
  expect(restore('2026-11-28T12:30:00Z', HISTORIES)).toContain('--target-timeline=2');
});

test('a moment after the last restore, or without any, is on the newest timeline, as is the newest state', () => {
  for (const [to, histories] of [
    ['2026-11-28T13:01:00Z', HISTORIES],
    ['2026-11-28T11:59:00Z', '{}'],
    ['newest', HISTORIES],
  ] as const) {
    const called = restore(to, histories);
    expect(called).toMatch(/^restore /);
    expect(called).not.toContain('--target-timeline');
  }
});

test('nothing is moved away while the repository does not answer', () => {
  expect(restore('2026-11-28T11:59:00Z', 'away')).toContain('the repository does not answer');
});
