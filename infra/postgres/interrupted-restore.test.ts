import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Ends the script that restores with it, as Ctrl-C does, if the file `interrupt` is there; else it restores. */
const PGBACKREST = `#!/bin/sh
if [ "$1" != restore ]; then echo '{}'; exit; fi
if [ -e "$DIR/interrupt" ]; then rm "$DIR/interrupt"; kill -TERM $PPID; exit 1; fi
echo 18 >"$PGDATA/PG_VERSION"
`;

/** The volume of Postgres with data in it, and the programs of its image. */
function volume() {
  const dir = mkdtempSync(join(tmpdir(), 'interrupted-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'pgbackrest'), PGBACKREST, { mode: 0o755 });
  writeFileSync(join(dir, 'docker-entrypoint.sh'), '#!/bin/sh\necho started\n', { mode: 0o755 });
  const data = join(dir, '18/docker');
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'PG_VERSION'), '18\n');
  const env = {
    PATH: [dir, process.env['PATH']].join(delimiter),
    ...{ DIR: dir, PGDATA: data, PGPASSWORD: 'p', POSTGRES_MEMORY: '2g' },
  };
  return {
    data,
    interrupt: () => writeFileSync(join(dir, 'interrupt'), ''),
    run: (script: string, ...args: string[]) =>
      spawnSync(join(import.meta.dirname, script), args, { encoding: 'utf8', env }),
  };
}

test('Postgres makes no empty database where a restore was interrupted; the restore can be repeated', () => {
  const { data, interrupt, run } = volume();
  interrupt();
  expect(run('backups.sh', 'restore', 'newest').signal).toBe('SIGTERM');
  expect(readdirSync(data)).toEqual([]);
  const { status, stdout, stderr } = run('start.sh', 'postgres');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('a restore was interrupted');
  expect(stderr).toContain(`${data}.left-`);
  expect(run('backups.sh', 'restore', 'newest').status).toBe(0);
  expect(run('start.sh', 'postgres').stdout).toBe('started\n');
});
