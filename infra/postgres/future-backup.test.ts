import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('a backup that a wrong clock has made in the future does not hide that none is made', () => {
  const dir = mkdtempSync(join(tmpdir(), 'future-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const label = '20991231-020000F';
  const info = [{ backup: [{ label, timestamp: { start: 4_102_365_600, stop: 4_102_365_660 } }] }];
  writeFileSync(join(dir, 'pgbackrest'), `#!/bin/sh\n[ "$1" != info ] || echo '${JSON.stringify(info)}'\n`, {
    mode: 0o755,
  });
  const env = { PATH: [dir, process.env['PATH']].join(delimiter), FIGURES: dir, PGPASSWORD: 'p' };
  const { status, stderr } = spawnSync(join(import.meta.dirname, 'backups.sh'), ['check'], { encoding: 'utf8', env });
  expect([status, stderr]).toEqual([1, expect.stringContaining(`${label} ended at 2099-12-31T02:01:00Z`)]);
  expect(readFileSync(join(dir, 'backups.prom'), 'utf8')).toBe('payroll_newest_backup_timestamp_seconds 0\n');
});
